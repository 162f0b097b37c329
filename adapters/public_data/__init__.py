"""Published results: reading the public CSV format, checking its rows against the rules, recomputing its figures."""
