"""A plugin that cannot be imported."""

from a_module_that_is_not_there import something  # noqa: F401
