"""Inputs are read back as they were written, whatever the names of tokens are."""

from dataclasses import FrozenInstanceError

import pytest
from checks import SOME, refusal
from hypothesis import given
from hypothesis import strategies as st

from constructions.evidence import Evidence, Finding, TreeNode, Word, input_words, listed, word_text
from constructions.models import HMM, Model
from constructions.reading import InputError
from constructions.text.names import joined, read_names, read_word
from verify.library import shipped

MODELS = [model for model, _ in shipped()]
NAMES = st.lists(
    st.one_of(
        st.sampled_from(["a", "b", "a b", "a,b", "(a)", "#", "#0", "#1", "##0", "0", "1", "01"]), st.text(max_size=4)
    ),
    min_size=1,
)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
@SOME
@given(data=st.data())
def test_an_input_of_a_shipped_model_is_read_as_it_is_printed(model: Model, data: st.DataObject) -> None:
    word = tuple(data.draw(st.lists(st.integers(0, len(model.tokens) - 1), min_size=1, max_size=8)))
    for text in (word_text(word, model), f"({word_text(word, model)})", str(list(word))):
        assert read_word(text, model.tokens, "") == word
    assert f"({word_text(word, model)})" in input_words([word], model)
    assert read_word(word, model.tokens, "") == word


@given(NAMES, st.data())
def test_whatever_the_names_what_is_written_is_read_as_the_same(names: list[str], data: st.DataObject) -> None:
    word = tuple(data.draw(st.lists(st.integers(0, len(names) - 1), min_size=1, max_size=6)))
    text = joined(word, names)
    assert text.isprintable()
    assert read_names(text, names, "token", "") == read_names(f"({text})", names, "token", "") == word


@given(NAMES)
def test_a_name_comes_before_an_index_and_no_text_is_read_in_two_ways(names: list[str]) -> None:
    for index, name in enumerate(names):
        if names.count(name) == 1 and name[:1] not in ("(", "{"):
            assert read_names(name, names, "token", "") == (index,)


def test_sets_of_states_are_read_as_they_are_printed() -> None:
    for model in MODELS:
        if isinstance(model, HMM):
            states = tuple(range(min(6, len(model.states))))
            if len(model.states) <= 6:
                assert read_names(listed(states, model), model.states, "state", "") == states


@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("a,3", 'from: token 1: found "3", expected an index from 0 to 2, or a token\'s name'),
        ("#3", 'from: token 0: found "#3", expected an index from 0 to 2, or a token\'s name'),
        ("", 'from: token 0: found "", expected an index from 0 to 2, or a token\'s name'),
        ("[0, 3]", 'from: token 1: found "#3", expected an index from 0 to 2'),
        ("a b ... (12 tokens)", "from: found an input cut short, expected every token; --json has all, by indices"),
        ("()", 'from: token 0: found "", expected an index from 0 to 2, or a token\'s name'),
        ("[0", "from: "),
        (5, "from: found 5, expected a text, or a list of indices and names"),
        ((0, 3), "from: token 1: found 3, expected an index from 0 to 2, or a name"),
        ((0, True), "from: token 1: found True, expected an index from 0 to 2, or a name"),
        (("a", "d"), 'from: token 1: found "d", expected an index from 0 to 2, or a token\'s name'),
    ],
)
def test_what_is_no_input_is_refused_in_one_line(word: object, line: str) -> None:
    assert refusal(read_word, word, ("a", "b", "c"), "from").startswith(line)


def test_a_name_that_two_tokens_have_is_nobodys() -> None:
    assert joined((0, 1, 2), ("a", "a", "b")) == "#0 #1 b"
    assert joined((0, 1), ("a", "b", "a, b")) == "#0, #1"
    with pytest.raises(InputError):
        read_names("a", ("a", "a", "b"), "token", "")
    assert joined((0, 1), ("a", "a", "#0")) == "##0 #1"


@pytest.mark.parametrize("name", ["(a", "a...", "a, b", " a", ""])
def test_a_name_that_could_be_read_as_something_else_is_written_by_its_index(name: str) -> None:
    assert joined((0,), (name,)) == "#0"


def test_a_number_alone_is_an_index_where_no_name_is_a_number() -> None:
    assert read_names("1 #0", ("a", "b"), "token", "") == (1, 0)
    assert read_names("1 #0", ("1", "2"), "token", "") == (0, 0)
    number = "#0 to #1 for an index (a bare number is a name here)"
    line = f'from: state 0: found "0", expected {number}, or a state\'s name'
    assert refusal(read_names, "0", ("1", "2"), "state", "from") == line


# Sentences of evidence


class EveryField(Evidence, kind="shown", says="{state}; {states}; {input}; {inputs}; {size}; {count}"):
    """Evidence with a field of every sort."""

    state: int
    states: tuple[int, ...]
    input: Word
    inputs: tuple[Word, ...]
    size: int
    count: tuple[int, ...]


class Sets(Evidence, kind="sets", says="B = {prompt_states}, H* = {recoverable}"):
    """Evidence with two sets of states."""

    prompt_states: tuple[int, ...]
    recoverable: tuple[int, ...]


UNIFORM = " ".join(["1/8"] * 8)
MODEL = HMM.of(UNIFORM, "; ".join([UNIFORM] * 8), "; ".join([UNIFORM] * 8), tuple("abcdefgh"), tuple("ABCDEFGH"))


def test_evidence_says_what_it_shows_by_the_names_of_a_model() -> None:
    evidence = EveryField(1, (0, 2), (0, 1), ((0,), (1, 2)), 5, (7, 7, 7))
    assert evidence.sentence(MODEL) == "b; {a, c}; (A B); inputs (A), (B C); 5; 3"
    assert Finding("3.1", True, evidence).sentence(MODEL) == evidence.sentence(MODEL)
    assert Finding("3.1", None, None).sentence(MODEL) == "not decided"
    assert Sets((0,), (1, 2)).sentence(MODEL) == "B = {a}, H* = {b, c}"


def test_a_kind_of_evidence_is_frozen_and_has_what_its_base_says() -> None:
    class Sized(Evidence, says="{size} in all"):
        size: int

    class Counted(Sized, kind="counted"):
        pass

    class Leaf(TreeNode, tag="leaf"):
        size: int

    counted, leaf = Counted(3), Leaf(3)
    assert (Sized.kind, counted.kind, counted.sentence(MODEL)) == ("", "counted", "3 in all")
    assert leaf.document == ["leaf", 3]
    for instance in (counted, leaf):
        with pytest.raises(FrozenInstanceError):
            instance.size = 4  # type: ignore[misc]


def test_what_is_long_is_cut_short() -> None:
    assert (listed(range(6), MODEL), listed(range(7), MODEL)) == ("{a, b, c, d, e, f}", "{a, b, c, d, e, f, ...}")
    word = (0, 1, 2, 3, 4, 5, 6, 7)
    assert word_text(word, MODEL) == "A B C D E F G H"
    assert word_text((*word, 0), MODEL) == "A B C D E F G H ... (9 tokens)"
    assert input_words([(0,), (1,), (2,)], MODEL) == "inputs (A), (B), (C)"
    assert input_words([(0,), (1,), (2,), (0, 0)], MODEL) == "4 inputs of length 1, 2"
