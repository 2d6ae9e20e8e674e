"""``python -m fliptable_api`` is ``fliptable``."""

from fliptable_api.cli import main

main()
