"""What alembic runs: the migrations, in the transaction that ``database`` has begun."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
with context.begin_transaction():
    context.run_migrations()
