"""What is for those who look after the server: its log and its figures."""
