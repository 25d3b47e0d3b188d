"""Strategy files: what is taken, what is refused and how, and those that the project brings."""

from __future__ import annotations

from pathlib import Path

import pytest

from gridwars.benchmarks.registry import BENCHMARKS, get_benchmark
from gridwars.prompting import PromptError, list_strategies, load_strategy, make_prompter
from gridwars.prompting.strategy import MOST_BYTES
from tests.gridwars.toy_benchmark import TOY

HEAD = '+++\nname = "mine"\nversion = 3\nnotes = "n"\n+++\n'


def write(folder: Path, text: str, name: str = "mine.md") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_strategy_is_read_whole(tmp_path: Path) -> None:
    strategy = load_strategy(write(tmp_path, HEAD + "Line one\nline two\n"))
    assert (strategy.head.name, strategy.head.version, strategy.head.notes) == ("mine", 3, "n")
    assert strategy.body == "Line one\nline two\n"
    assert strategy.body_line == 6
    assert len(strategy.digest) == 64


def test_any_change_changes_the_digest(tmp_path: Path) -> None:
    first = load_strategy(write(tmp_path, HEAD + "Win."))
    second = load_strategy(write(tmp_path, HEAD + "Win"))
    assert first.digest != second.digest


def test_line_ends_and_a_byte_order_mark_do_not_matter(tmp_path: Path) -> None:
    plain = load_strategy(write(tmp_path, HEAD + "a\nb"))
    (tmp_path / "mine.md").write_bytes(("\ufeff" + HEAD + "a\nb").replace("\n", "\r\n").encode())
    assert load_strategy(str(tmp_path / "mine.md")).digest == plain.digest


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("Win.", 1, 'begins with a line "+++"'),
        ("", 1, 'begins with a line "+++"'),
        ('+++\nname = "mine"\n', 3, "close it with a line"),
        ('+++\nname = "mine"\nversion 1\n+++\n', 3, "a head holds name"),
        ('+++\nname = "mine\nversion = 1\n+++\n', 2, "a head holds name"),
        (HEAD.replace("notes", "note"), 4, "unknown field `note`"),
        (HEAD.replace("3", '"3"'), 3, "Expected `int`"),
        (HEAD.replace("3", "true"), 3, "Expected `int`"),
        (HEAD.replace("3", "0"), 3, ">= 1"),
        (HEAD.replace('"n"', "4"), 4, "Expected `str`, got `int` at `notes`"),
        (HEAD.replace("version = 3\n", ""), 3, "missing required field `version`"),
        (HEAD.replace('"mine"', '"other"'), 2, 'name = "mine"'),
    ],
)
def test_mistakes_in_the_head_name_file_line_and_remedy(
    text: str, line: int, said: str, tmp_path: Path
) -> None:
    path = write(tmp_path, text)
    with pytest.raises(PromptError) as error:
        load_strategy(path)
    assert str(error.value).startswith(f"{path}:{line}: ")
    assert said in str(error.value)


def test_unknown_name_gets_a_suggestion() -> None:
    with pytest.raises(PromptError, match='did you mean "hunter"'):
        load_strategy("huntr")


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(PromptError, match=r"nowhere\.md"):
        load_strategy(str(tmp_path / "nowhere.md"))


def test_foreign_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.md").write_bytes(b"\xff\xfe")
    with pytest.raises(PromptError, match="UTF-8"):
        load_strategy(str(tmp_path / "mine.md"))
    with pytest.raises(PromptError, match=f"larger than {MOST_BYTES} bytes"):
        load_strategy(write(tmp_path, HEAD + "x" * MOST_BYTES))
    with pytest.raises(PromptError, match="cannot read"):
        load_strategy(f"{tmp_path}/")


def test_strategy_of_another_game_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, HEAD.replace("version", f'benchmark = "{TOY.name}"\nversion'))
    with pytest.raises(PromptError, match="is for toy, not for grid-wars"):
        make_prompter(get_benchmark("grid-wars"), path)


def test_project_brings_strategies_that_work_from_none_to_much() -> None:
    strategies = list_strategies()
    assert len(strategies) >= 6
    bodies = [strategy.body.strip() for strategy in strategies]
    assert "" in bodies
    assert len(set(bodies)) == len(bodies)
    for strategy in strategies:
        fitting = [benchmark for name, benchmark in BENCHMARKS.items() if strategy.fits(name)]
        assert fitting
        for benchmark in fitting:
            make_prompter(benchmark, strategy.name)
        assert strategy.head.notes.endswith(".")
