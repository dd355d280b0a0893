"""The history of the schema; alembic runs what a database lacks when it is opened."""
