"""The built-in constraints. Each is a plugin like any other."""
