"""Reports, pictures, tables and replay files of a comparison."""
