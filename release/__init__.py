"""What is shipped, and with what: the locks, the bill of materials, the licences."""
