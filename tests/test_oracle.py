"""The oracle against a textbook and against itself. Other tests compare Headproof with the oracle."""

import itertools
import json
from fractions import Fraction
from pathlib import Path

import oracle
import pytest

FOLDER = Path(__file__).resolve().parent.parent / "models"
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.json"))}
UMBRELLA = oracle.parse(TEXTS["umbrella"])


@pytest.mark.parametrize("name", TEXTS)
def test_a_model_is_named_after_its_file_and_says_where_it_is_from(name: str) -> None:
    raw = json.loads(TEXTS[name])
    assert raw["name"] == name
    assert len(raw["source"]) > 40


def test_the_umbrella_world_has_its_textbook_answers() -> None:
    by_bayes = Fraction(69, 110)  # P(umbrella | rain on day 0) = .7 * .9 + .3 * .2 = .69, and .41 without rain
    assert oracle.posterior_initial(UMBRELLA, (0,)) == [by_bayes, 1 - by_bayes]
    assert oracle.probability(UMBRELLA, (0,)) == Fraction(55, 100)


def test_behind_a_prompt_the_fake_token_takes_its_share_of_every_other_ones_probability() -> None:
    words = itertools.product(range(3), range(2))
    assert sum(oracle.probability(UMBRELLA, x, [Fraction(1, 2), Fraction(1, 3)]) for x in words) == 1
