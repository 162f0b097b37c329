"""The transparency log in the world: publishing, witnesses, receipts, bundles and their verification."""
