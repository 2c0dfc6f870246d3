"""Inputs are read back as they were written, whatever the names of tokens are."""

import pytest
from checks import SOME
from hypothesis import given
from hypothesis import strategies as st

from constructions.evidence import input_words, joined, listed, read_names, read_word, word_text
from constructions.models import HMM, Model
from constructions.reading import InputError
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
    for printed in (word_text(word, model), f"({word_text(word, model)})", str(list(word))):
        assert read_word(printed, model.tokens, "") == word
    assert f"({word_text(word, model)})" in input_words([word], model)
    assert read_word(word, model.tokens, "") == word


@given(NAMES, st.data())
def test_whatever_the_names_what_is_written_is_read_as_the_same(names: list[str], data: st.DataObject) -> None:
    word = tuple(data.draw(st.lists(st.integers(0, len(names) - 1), min_size=1, max_size=6)))
    written = joined(word, names)
    assert written.isprintable()
    assert read_names(written, names, "token", "") == read_names(f"({written})", names, "token", "") == word


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
    ("given", "line"),
    [
        ("a,3", 'from: token 1: found "3", expected an index from 0 to 2, or a token\'s name'),
        ("#3", 'from: token 0: found "#3", expected an index from 0 to 2, or a token\'s name'),
        ("", 'from: token 0: found "", expected an index from 0 to 2, or a token\'s name'),
        ("[0, 3]", "from: [1]: found 3, expected a whole number from 0 to 2"),
        ("a b ... (12 tokens)", "from: found an input cut short, expected every token; --json has all, by indices"),
        ((0, 3), "from: token 1: found 3, expected an index from 0 to 2, or a name"),
        ((0, True), "from: token 1: found True, expected an index from 0 to 2, or a name"),
        (("a", "d"), 'from: token 1: found "d", expected an index from 0 to 2, or a token\'s name'),
    ],
)
def test_what_is_no_input_is_refused_in_one_line(given: object, line: str) -> None:
    with pytest.raises(InputError) as refused:
        read_word(given, ("a", "b", "c"), "from")  # type: ignore[arg-type]
    assert str(refused.value).startswith(line)


def test_a_name_that_two_tokens_have_is_nobodys() -> None:
    assert joined((0, 1, 2), ("a", "a", "b")) == "#0 #1 b"
    with pytest.raises(InputError):
        read_names("a", ("a", "a", "b"), "token", "")
