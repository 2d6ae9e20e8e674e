"""The built-in modes, one module each. Each is a plugin like any other."""
