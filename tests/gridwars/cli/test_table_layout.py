"""Where columns go when there is little room."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gridwars.cli.table_layout import GAP, lay_out

PROSE = "a sentence that goes on for longer than a terminal has room beside what it is about"


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[str], list[list[str]], int]:
    count = draw(st.integers(1, 9))
    texts = st.text("ab1 ", max_size=60)
    headings = draw(st.lists(texts, min_size=count, max_size=count))
    rows = draw(st.lists(st.lists(texts, min_size=count, max_size=count), max_size=4))
    return headings, rows, draw(st.integers(0, count - 1))


@given(tables(), st.integers(8, 200))
def test_every_column_has_a_place_and_no_piece_is_too_wide(
    table: tuple[list[str], list[list[str]], int], room: int
) -> None:
    headings, rows, key = table
    pieces = lay_out(headings, rows, room, key=key)
    assert {placed.column for piece in pieces for placed in piece} == set(range(len(headings)))
    for piece in pieces:
        assert sum(placed.width for placed in piece) + GAP * (len(piece) - 1) <= room
        assert len({placed.column for placed in piece}) == len(piece)


@given(tables(), st.integers(130, 200))
def test_no_word_is_parted_where_two_fit(table: tuple[list[str], list[list[str]], int], room: int) -> None:
    headings, rows, key = table
    for piece in lay_out(headings, rows, room, key=key):
        for index, width in piece:
            words = [
                word for text in (headings[index], *(row[index] for row in rows)) for word in text.split()
            ]
            assert all(len(word) <= width for word in words)


def test_what_fits_stands_as_it_is() -> None:
    assert lay_out(["seat", "score"], [["a", "-130.25"]], 80) == [[(0, 4), (1, 7)]]


def test_numbers_go_below_behind_the_rows_name_rather_than_being_cut() -> None:
    headings = ["place", "seat", *(f"number {index}" for index in range(6))]
    pieces = lay_out(headings, [["1", "a", *["-1234567.25"] * 6]], 60, key=1)
    assert [[placed.column for placed in piece] for piece in pieces] == [[0, 1, 2, 3, 4], [1, 5, 6, 7]]
    assert all(placed.width == 11 for piece in pieces for placed in piece if placed.column > 1)


def test_prose_is_set_in_lines_before_anything_goes_below() -> None:
    [piece] = lay_out(["name", "what it does", "count"], [["x", PROSE, "12"]], 60)
    assert [placed.width for placed in piece] == [4, 60 - 4 - 5 - 2 * GAP, 5]


def test_long_prose_gets_a_piece_of_its_own() -> None:
    pieces = lay_out(["name", "first", "second"], [["x", PROSE * 3, PROSE * 3]], 80)
    assert [[placed.column for placed in piece] for piece in pieces] == [[0, 1], [0, 2]]
