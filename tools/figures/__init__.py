"""Pictures of the documentation, drawn by the code that they show."""
