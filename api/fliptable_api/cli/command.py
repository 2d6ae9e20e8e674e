"""What all commands share: an example in the help, and expected failures without a traceback."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine
from typing import Any

import click

from fliptable_api.client import DEFAULT_SERVER, ClientError

HELP_OPTIONS = {"help_option_names": ["-h", "--help"]}
INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells have it."""


class Failure(click.ClickException):
    """An expected failure: a sentence and an exit code."""

    def __init__(self, message: str, exit_code: int = 1) -> None:
        """What is said, and what the program ends with."""
        super().__init__(message)
        self.exit_code = exit_code  # type: ignore[misc]


class Command(click.Command):
    """A command with examples, whose expected failures are one sentence on standard error."""

    def __init__(
        self, *args: Any, examples: str = "", failure: int = 1, misuse: int = 2, **kwargs: Any
    ) -> None:
        """``examples`` are printed as they are.

        ``failure`` is the exit code of an expected failure, ``misuse`` that of options that are not right.
        """
        kwargs.setdefault("context_settings", HELP_OPTIONS)
        super().__init__(*args, **kwargs)
        self.examples = examples.strip("\n")
        self.failure = failure
        self.misuse = misuse

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Read the arguments."""
        try:
            return super().make_context(*args, **kwargs)
        except click.UsageError as error:
            error.exit_code = self.misuse  # type: ignore[misc]
            raise

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples, one a line."""
        if self.examples:
            formatter.write("\nExamples:\n")
            for line in self.examples.splitlines():
                formatter.write(f"  {line}\n" if line else "\n")

    def invoke(self, ctx: click.Context) -> Any:
        """Run; what a server or its user is expected to do wrong is told in a sentence."""
        try:
            return super().invoke(ctx)
        except ClientError as error:
            message = str(error)
            raise Failure(message[:1].upper() + message[1:], self.failure) from None
        except click.UsageError as error:
            error.exit_code = self.misuse  # type: ignore[misc]
            raise
        except KeyboardInterrupt:
            raise SystemExit(INTERRUPTED) from None
        except BrokenPipeError:
            # Whoever read the output has had enough, as `| head` has.
            sys.stderr.close()
            raise SystemExit(1) from None


def run(work: Coroutine[Any, Any, int]) -> None:
    """Run a command's work and end with the exit code that it gives."""
    try:
        code = asyncio.run(work)
    except KeyboardInterrupt:
        code = INTERRUPTED
    raise SystemExit(code)


Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

server_option: Decorator = click.option(
    "--server",
    default=DEFAULT_SERVER,
    show_default=True,
    envvar="FLIPTABLE_SERVER",
    metavar="URL",
    help="The server. Also FLIPTABLE_SERVER.",
)
token_option: Decorator = click.option(
    "--token",
    envvar="FLIPTABLE_TOKEN",
    metavar="TOKEN",
    help="Be the player of this token. Also FLIPTABLE_TOKEN.",
)
