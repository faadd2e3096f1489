"""What a SHACL rule finds: one result of validation, whoever judged it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One SHACL result: the node, the path and value where there are any, the rule, how bad, and
    the message.
    """

    focus: str
    path: str | None
    value: str | None
    rule: str
    severity: str
    message: str

    @property
    def result(self) -> tuple[str, str | None, str | None, str, str]:
        """What makes it this result and no other; the message is only how it is told."""
        return self.focus, self.path, self.value, self.rule, self.severity


def local(iri: str | None) -> str:
    """The name of a rule, as the author reads it."""
    return (iri or "").rpartition("#")[2]
