"""What can be wrong with a store, said in one plain sentence."""


class StoreError(Exception):
    """The store cannot be opened, read or written. The message says what and where, and how to go on."""


class NoSuchBench(StoreError):
    """There is no database where one was named, and none was to be made."""
