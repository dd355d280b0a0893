"""The Compare page's room."""
