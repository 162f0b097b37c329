"""Everything that touches the world: stores, the composition root, the command line, importers, the simulator."""
