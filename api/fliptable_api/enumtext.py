"""What the members of an enum mean: the string below each of them in its source."""

from __future__ import annotations

import ast
import inspect
import textwrap
from enum import Enum
from functools import cache
from itertools import pairwise

from fliptable_api.naming import uncited


@cache
def member_texts(kind: type[Enum]) -> dict[str, str]:
    """The text of each member that has one; nothing where there is no source to read."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(kind)))
    except (OSError, TypeError, SyntaxError):
        return {}
    (body,) = [node.body for node in tree.body if isinstance(node, ast.ClassDef)] or [[]]
    texts = {}
    for member, text in pairwise(body):
        if (
            isinstance(member, ast.Assign)
            and isinstance(member.targets[0], ast.Name)
            and isinstance(text, ast.Expr)
            and isinstance(text.value, ast.Constant)
            and isinstance(text.value.value, str)
        ):
            texts[member.targets[0].id] = uncited(inspect.cleandoc(text.value.value))
    return texts
