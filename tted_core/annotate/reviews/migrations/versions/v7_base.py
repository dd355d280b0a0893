"""The tables of ``schema`` as they were when migrations began to be kept; a new database is made with them."""

revision = "7"
down_revision = None


def upgrade() -> None:
    """Nothing: there is no earlier version to come from."""
