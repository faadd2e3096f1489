"""The description of the addresses against a running server: what schemathesis makes of it, valid
and invalid, gets an answer that is described.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from requests import Session

from tests.web.serving import Server

if TYPE_CHECKING:  # it takes a second, which not every worker should spend
    from schemathesis import Case
    from schemathesis.schemas import APIOperation, BaseSchema

# A text that fits its schema need not be the name of a thing, nor a query. At the endpoint what
# is not known is ignored, as its protocol says. A busy server says 503 or 504, which are described;
# what is not described, such as 500, fails all the same.
NOT_ASKED = ("not_a_server_error", "positive_data_acceptance", "negative_data_rejection")


MODES = ["positive", "negative"]
QUICK = ["positive", pytest.param("negative", marks=pytest.mark.proof)]


@pytest.fixture(scope="module")
def described(server: Server) -> BaseSchema:
    import schemathesis

    return schemathesis.openapi.from_url(f"{server.address}openapi.json")


def flat(value: object) -> list[object]:
    """What would stand in an address."""
    items = value.values() if isinstance(value, dict) else value
    return [*items] if isinstance(value, dict | list) else [value]


def attack(server: Server, operation: APIOperation, mode: str, examples: int) -> None:
    from schemathesis import GenerationMode
    from schemathesis.checks import CHECKS

    is_question = operation.path.startswith("/queries/")
    excluded = CHECKS.get_by_names(NOT_ASKED if not is_question else NOT_ASKED[:2])

    with Session() as session:

        @settings(
            max_examples=examples,
            deadline=None,
            database=None,
            derandomize=True,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(GenerationMode(mode)))
        def ask(case: Case) -> None:
            # A field that is left empty is not given, whatever kind of nothing stands there.
            assume(not is_question or all(any(flat(each)) for each in (case.query or {}).values()))
            case.call_and_validate(server.address, session, excluded_checks=excluded, timeout=60)

        ask()


@pytest.mark.parametrize("mode", QUICK)
def test_a_question_answers_as_described(server: Server, described: BaseSchema, mode: str) -> None:
    attack(server, described["/queries/coauthors-of.{form}"]["GET"], mode, 10)


@pytest.mark.proof
@pytest.mark.parametrize("mode", MODES)
def test_all_addresses_answer_as_described(
    server: Server, described: BaseSchema, mode: str
) -> None:
    found = [each.ok() for each in described.get_all_operations()]
    assert len(found) > 35
    for operation in found:
        attack(server, operation, mode, 25)
