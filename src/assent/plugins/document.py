"""What `assent apply -f` needs to know about a kind of document. Pure.

A plugin contributes a class to `apply.document` under the word that files name as `kind`.
"""

from collections.abc import Awaitable
from typing import Any, Protocol

from assent.errors import PluginError
from assent.plugins.extension import Contribution
from assent.value import Value

POINT = "apply.document"


class Document(Protocol):
    """`Draft` reads the document, without `kind` and with `workspaceId` for `workspace`.

    `apply` makes it so and says in a word what happened. It runs as whoever has the machine.
    """

    Draft: type[Value]

    def apply(self, ctx: Any, draft: Any) -> Awaitable[str]: ...


def check_document(contribution: Contribution) -> None:
    author = contribution.value
    draft = getattr(author, "Draft", None)
    if not (isinstance(draft, type) and issubclass(draft, Value)):
        raise PluginError("the class needs `Draft`, a Value.")
    if not callable(getattr(author, "apply", None)):
        raise PluginError("the class needs `async def apply(self, ctx, draft)`.")
