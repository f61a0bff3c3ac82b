"""Where code stands in a document, however it is marked."""
