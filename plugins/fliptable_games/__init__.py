"""The built-in games, one package each. Each is a plugin like any other."""
