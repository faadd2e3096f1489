"""What any page says: the structured data of HTML, judged."""
