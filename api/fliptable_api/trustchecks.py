"""What a server says at its start of its trusted documents."""

from __future__ import annotations

import logging
from collections.abc import Iterator

from graphql import GraphQLError

from fliptable_api.errors import shown
from fliptable_api.schema import Built
from fliptable_api.settings import Settings
from fliptable_api.trusted import Documents, Trust

logger = logging.getLogger("fliptable.trusted")

_TOLD = 20
"""How many documents that do not fit are told of, each in a line."""


def tell(settings: Settings, documents: Documents, built: Built) -> None:
    """Log how many trusted documents there are, and which do not fit the schema.

    Such a document keeps no server from starting: clients of another version may have it.
    """
    if documents.trust is Trust.OFF:
        if settings.trusted_documents:
            logger.warning(
                "FLIPTABLE_TRUSTED_DOCUMENTS names %s, which is not read, as FLIPTABLE_TRUST is off",
                settings.trusted_documents,
            )
        return
    logger.info(
        "%d trusted documents of %s are loaded; FLIPTABLE_TRUST is %s",
        len(documents.trusted),
        settings.trusted_documents,
        documents.trust.value,
    )
    wrong = list(_problems(documents, built))
    for hash, problem in wrong[:_TOLD]:
        logger.warning("the trusted document %.80s does not fit the schema: %s", hash, problem)
    if len(wrong) > _TOLD:
        logger.warning("%d more trusted documents do not fit the schema", len(wrong) - _TOLD)


def _problems(documents: Documents, built: Built) -> Iterator[tuple[str, str]]:
    for hash, text in documents.trusted.items():
        try:
            errors = built.documents.validate(text, built.documents.parse(text), built.schema._schema)
        except GraphQLError as error:
            errors = [error]
        if errors:
            yield hash, shown(errors[0]).message
