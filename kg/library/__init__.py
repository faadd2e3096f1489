"""What Python gets: `kg.open`, things as objects and answers as rows."""
