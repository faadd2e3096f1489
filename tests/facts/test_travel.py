"""Facts travel between processes, and are the same there."""

from __future__ import annotations

import pickle

from kg.facts.models.people import Person


def test_a_fact_that_has_travelled_is_the_same() -> None:
    fact = Person.unchecked(name="Ada Berg")
    assert pickle.loads(pickle.dumps(fact)) == fact  # noqa: S301
    assert Person.unchecked(name="Bea Alm") != fact
