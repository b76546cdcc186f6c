"""What Alembic runs: the migrations, on the connection and in the transaction of its caller."""

from alembic import context

from shipbar.store.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"], target_metadata=METADATA
)
with context.begin_transaction():
    context.run_migrations()
