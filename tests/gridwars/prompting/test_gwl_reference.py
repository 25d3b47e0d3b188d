"""What models are told of the language is true: samples compile, mistakes fail, numbers are the rules'."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Mapping

import msgspec
import pytest

from gridwars.benchmarks.engines import EngineChoice
from gridwars.benchmarks.grid_wars.benchmark import GridWars
from gridwars.benchmarks.grid_wars.engine import start_engine
from gridwars.benchmarks.grid_wars.job import BattleJob
from gridwars.benchmarks.grid_wars.reply import Reading, read_reply
from gridwars.benchmarks.grid_wars.rules import SEAT_COUNT
from gridwars.benchmarks.grid_wars.warriors import load_warriors
from gridwars.canonical import Json
from gridwars.prompting import list_strategies, prompts_path
from gridwars.prompting.templates import load_body, load_templates, make_context
from gwl import check_source, compile_source, split_source
from gwl.builtins import BUILTINS, CALLED_WHEN_READ, CONSTANTS
from gwl.errors import CompileError, FaultCode
from gwl.limits import INSTRUCTIONS_PER_TICK
from gwl.solo import Outcome, TraceLine, run_solo
from tests.gridwars.benchmarks.grid_wars.ladder import STARTS

GRID_WARS = GridWars()
SYSTEM = load_templates(GRID_WARS, prompts_path()).system
REFERENCE = SYSTEM[SYSTEM.index("# GWL, the language") : SYSTEM.index("# Your reply")]
_SAMPLE = re.compile(r"```gwl\n(.*?)```", re.DOTALL)
_CODE = re.compile(r"`([^`]+)`")


def find_samples() -> list[str]:
    texts = [SYSTEM]
    for strategy in filter(lambda strategy: strategy.fits(GRID_WARS.name), list_strategies()):
        body = load_body(strategy, load_templates(GRID_WARS, prompts_path()))
        for observation in GRID_WARS.sample_observations():
            texts.append(body.render(make_context(GRID_WARS, GRID_WARS.prompt_facts(), observation)))
    return list(dict.fromkeys(sample for text in texts for sample in _SAMPLE.findall(text)))


SAMPLES = find_samples()
MAXFUSE = CONSTANTS["MAXFUSE"]
WHOLE, STATEMENTS, SCAN, PIECES = _SAMPLE.findall(REFERENCE)


def test_every_sample_is_marked_as_one() -> None:
    sources = [path.read_text(encoding="utf-8") for path in prompts_path().rglob("*") if path.is_file()]
    fences = [line for source in sources for line in re.findall(r"^[`~]{3}.+$", source, re.MULTILINE)]
    assert len(fences) >= 4
    assert set(fences) == {"```gwl"}


@pytest.mark.parametrize("sample", SAMPLES)
def test_sample_compiles_without_a_warning(sample: str) -> None:
    assert len(SAMPLES) >= 4
    assert check_source(split_source(sample)) == ()


def test_reply_that_is_shown_is_taken_as_it_stands() -> None:
    (line,) = [line for line in SYSTEM.split("\n") if line.startswith('{"script"')]
    reading = read_reply(line)
    assert isinstance(reading, Reading)
    assert reading.repairs == ()
    compile_source(reading.script)
    with_plan = read_reply(line.replace("{", '{"plan": "first {this}", ', 1))
    assert with_plan == reading


def run_alone(source: str, ticks: int = 400) -> list[TraceLine]:
    program = compile_source(split_source(source))
    return list(run_solo(program, seat=0, seed=1, bomb_cost=12, ticks=ticks))


def test_whole_program_paints_on_to_the_end() -> None:
    trace = run_alone(WHOLE)
    assert len(trace) == 400
    assert {line.outcome for line in trace} == {Outcome.DONE}
    assert trace[-1].tiles > 150


def test_scan_of_all_that_is_seen_takes_more_than_half_a_tick() -> None:
    (first, *_) = run_alone(SCAN, ticks=1)
    assert INSTRUCTIONS_PER_TICK / 2 < first.spent < INSTRUCTIONS_PER_TICK


def test_rating_eight_neighbours_by_ten_looks_takes_more_than_half_a_tick() -> None:
    look = "  if check(dx, dy) != ID:\n    sum = sum + 1\n" * 10
    source = f"var sum = 0\nproc rate(dx, dy) =\n{look}  return sum\n"
    source += "var best = 0\nfor k in 0 ..< 8:\n  best = max(best, rate(1, k))\nwait()"
    (first, *_) = run_alone(source, ticks=1)
    assert INSTRUCTIONS_PER_TICK / 2 < first.spent < INSTRUCTIONS_PER_TICK


def measure(source: str) -> int:
    return run_alone(f"{source}\nwait()", ticks=1)[0].spent


def test_costs_are_those_that_are_named() -> None:
    empty = measure("discard 0") - 2
    assert measure("if check(1, 1) == BOMB:\n  discard 0") - empty == 6
    rounds = [measure(f"for i in 0 ..< {count}:\n  discard 0") for count in (3, 4)]
    assert rounds[1] - rounds[0] - 2 == 9
    call = measure("proc f() =\n  discard 0\ndiscard f()") - measure("discard 0\ndiscard 0")
    assert abs(call - 4) <= 1


def test_every_builtin_is_shown_with_its_arguments_and_every_constant() -> None:
    table = REFERENCE[REFERENCE.index("## Builtins") : REFERENCE.index("## Limits")]
    shown = {
        name: len(arguments.split(",")) if arguments else 0
        for name, arguments in re.findall(r"`(\w+)\(([^()`]*)\)`", table)
    }
    builtins = {name: each.arity for name, each in BUILTINS.items() if name not in CALLED_WHEN_READ}
    assert shown == builtins
    assert set(CONSTANTS) | set(CALLED_WHEN_READ) <= set(_CODE.findall(table))


def list_mistakes(start: str) -> list[str]:
    """The lines of the list that follows a paragraph."""
    following = REFERENCE[REFERENCE.index(start) :].split("\n\n")[1]
    return [line.removeprefix("- ") for line in following.split("\n")]


NOT_GWL = [line.split(" -> ") for line in list_mistakes("These do not compile")]
DECLARED = "var a = 1\nvar b = 1\nvar c = true\nvar d = 1\n"
CONTEXTS: Mapping[str, str] = {
    "a / b": "a = {}",
    "a % b": "a = {}",
    "a && b": "c = {}",
    "a || b": "c = {}",
    "!a": "c = {}",
    "a is b": "c = {}",
    "else if a:": "if c:\n  wait()\n{}\n  wait()",
    "def f(a):": "{}\n  wait()",
    "proc f(a):": "{}\n  wait()",
    "proc f(a: int) =": "{}\n  wait()",
    "for i in 9 .. 0 step -1:": "{}\n  wait()",
    "for i = 0 to 9:": "{}\n  wait()",
    '"text"': "a = {}",
    "1.5": "a = {}",
    "a.b": "a = {}",
    "(1, 2)": "a = {}",
    "return": "{}",
    "proc": "if c:\n  {} f() =\n    wait()",
}
"""What a mistake stands in where it is no statement of its own."""
RIGHT_CONTEXTS: Mapping[str, str] = {
    "a div b": "a = {}",
    "a mod b": "a = {}",
    "a and b": "c = {}",
    "a or b": "c = {}",
    "not a": "c = {}",
    "a == b": "c = {}",
    "elif a:": "if c:\n  wait()\n{}\n  wait()",
    "proc f(a) =": "{}\n  wait()",
    "for i in 0 .. 9:": "{}\n  wait()",
}


@pytest.mark.parametrize("wrong", [code for left, _ in NOT_GWL for code in _CODE.findall(left)])
def test_what_is_said_not_to_compile_does_not(wrong: str) -> None:
    with pytest.raises(CompileError):
        compile_source(split_source(DECLARED + CONTEXTS.get(wrong, "{}").format(wrong)))


def test_what_is_to_be_written_instead_compiles() -> None:
    right = [code for _, side in NOT_GWL for code in _CODE.findall(side) if code not in ("if", "while")]
    assert len(right) >= 10
    for code in right:
        compile_source(split_source(DECLARED + RIGHT_CONTEXTS.get(code, "{}").format(code)))


FAULTS: Mapping[str, tuple[str, FaultCode]] = {
    "if count:": ("if count:\n  wait()", FaultCode.CONDITION_TYPE),
    "while 1:": ("while 1:\n  wait()", FaultCode.CONDITION_TYPE),
    "not who(1, 0)": ("flag = not who(1, 0)", FaultCode.NOT_TYPE),
    "free(1, 0) and 1": ("flag = free(1, 0) and 1", FaultCode.LOGIC_TYPE),
    "not a == b": ("flag = not count == 2", FaultCode.NOT_TYPE),
    "a < b < c": ("flag = 1 < 2 < 3", FaultCode.ORDER_TYPES),
    "flag == 1": ("flag = flag == 1", FaultCode.COMPARE_TYPES),
    "energy > 12": ("flag = energy > 12", FaultCode.UNDEFINED_VARIABLE),
    "div": ("count = 1 div 0", FaultCode.DIV_ZERO),
    "mod": ("count = 1 mod 0", FaultCode.MOD_ZERO),
    "rand(0)": ("count = rand(0)", FaultCode.RAND_RANGE),
    "[0] * 9": ("var list = [0] * 9", FaultCode.ARITH_TYPES),
    "range(9)": ("for i in range(9):\n  wait()", FaultCode.UNDEFINED_PROC),
    "var ok = move(1, 0)": ("var ok = move(1, 0)", FaultCode.UNDEFINED_PROC),
    "too few": ("count = check(1)", FaultCode.BUILTIN_ARITY),
    "too many": ("flag = free(1, 2, 3)", FaultCode.PROC_ARITY),
    "boolean in an array": ("var list = [flag]", FaultCode.LITERAL_TYPE),
    "given to a builtin": ("count = abs(flag)", FaultCode.BOOL_ARGUMENT),
    "negative": ("var list = [1]\ncount = list[-1]", FaultCode.INDEX_RANGE),
    "recursion": ("proc f() =\n  f()\nf()", FaultCode.CALL_DEPTH),
    "misspelt": ("coutn = 1", FaultCode.UNDEFINED_VARIABLE),
}
KILLERS = "\n".join(list_mistakes("These compile and then"))


@pytest.mark.parametrize("said", FAULTS)
def test_what_is_said_to_kill_compiles_and_faults(said: str) -> None:
    assert said in KILLERS
    source, code = FAULTS[said]
    prelude = "var count = 1\nvar flag = true\nproc free(dx, dy) =\n  return true\n"
    trace = run_alone(f"{prelude}{source}\nwait()", ticks=3)
    assert [line.fault.code for line in trace if line.fault] == [code]


@pytest.mark.parametrize(
    ("expression", "value"),
    [("-7 div 2", -3), ("-7 mod 4", -3), ("(-1 + 4) mod 4", 3), ("alive(2)", 0), ("- 5 * 3", -15)],
)
def test_values_are_those_that_are_named(expression: str, value: int) -> None:
    """A warrior that gets another value stands still, and never paints."""
    trace = run_alone(f"if {expression} == {value}:\n  place()\nwait()", ticks=2)
    assert trace[0].action == "place()"


def test_pieces_work_on_a_board_that_wraps() -> None:
    pieces = PIECES[: PIECES.index("\nvar k = ") + 1]
    good = "offset(28, 1) == 3 and offset(1, 28) == -3 and canBomb() and not findRival(1)"
    assert run_alone(f"{pieces}if {good}:\n  place()\nwait()", ticks=1)[0].action == "place()"


def test_diagonal_step_saves_from_a_bomb_and_a_straight_one_does_not() -> None:
    fates = {
        step: run_alone(f"bomb()\nmove({step})\nwhile true:\n  wait()", ticks=10) for step in ("1, 1", "1, 0")
    }
    assert [line.outcome for line in fates["1, 1"]] == [Outcome.DONE] * 10
    assert fates["1, 0"][-1].outcome is Outcome.BLASTED
    assert fates["1, 0"][-1].tick == MAXFUSE - 1


def replace_numbers(value: Json, numbers: dict[int, str], path: str = "") -> Json:
    """The facts with each number replaced by one that occurs nowhere else."""
    match value:
        case int():
            number = 7_000_001 + 10 * len(numbers)
            numbers[number] = path
            return -number if value < 0 else number
        case list():
            return [replace_numbers(each, numbers, path) for each in value]
        case dict():
            return {key: replace_numbers(each, numbers, f"{path}.{key}") for key, each in value.items()}
        case _:
            return value


def test_every_number_is_taken_from_the_rules_and_none_is_typed() -> None:
    numbers: dict[int, str] = {}
    facts = replace_numbers(msgspec.to_builtins(GRID_WARS.prompt_facts()), numbers)
    assert len(numbers) > 25

    class Strange(GridWars):
        def prompt_facts(self) -> dict[str, Json]:
            assert isinstance(facts, dict)
            return facts

    templates = load_templates(Strange(), prompts_path())
    observation = GRID_WARS.sample_observations()[-1]
    round_text = templates.round.render(
        make_context(GRID_WARS, templates.facts, observation) | {"strategy": "", "hints": True}
    )
    found = {int(digits) for digits in re.findall(r"\d+", templates.system + round_text)}
    strange = functools.reduce(set.union, ({n - 1, n, n // 2, n + 9, n + 10} for n in numbers), set[int]())
    unused = {path for number, path in numbers.items() if not {number, number - 1} & found}
    assert unused == set()
    typed = {n for n in map(int, re.findall(r"\d+", templates.system)) if n >= 20} - strange
    assert typed == {62, 64}  # the widths of GWL's numbers and shifts


def test_scaffold_does_what_it_says() -> None:
    """Whom it says that it beats it beats, whom it says that it loses to beats it; never a fault or stall."""
    (sample,) = set(SAMPLES) - {WHOLE, STATEMENTS, SCAN, PIECES}
    (strategy,) = (strategy for strategy in list_strategies() if strategy.head.name == "scaffold")
    said = re.search(
        r"Two against two it beats the built-in (.+), and loses to the stronger (.+?)\.", strategy.body
    )
    assert said
    beaten, stronger = (_CODE.findall(names) for names in said.groups())
    assert len(beaten) >= 3
    assert len(stronger) >= 2
    own = compile_source(split_source(sample))
    for name in beaten + stronger:
        rival = compile_source(load_warriors()[name].lines)
        seatings = [
            (start, seats)
            for start in range(len(STARTS))
            for seats in itertools.combinations(range(SEAT_COUNT), 2)
        ]
        jobs = [
            BattleJob(
                [own if seat in seats else rival for seat in range(SEAT_COUNT)],
                seed=start,
                spawn=STARTS[start],
                ticks=400,
                bomb_cost=12,
            )
            for start, seats in seatings
        ]
        results = start_engine(EngineChoice.AUTO).run_battles(jobs)
        played = [
            result.stats[seat] for result, (_, seats) in zip(results, seatings, strict=True) for seat in seats
        ]
        assert all(stats.fault_line == 0 and stats.stalls == 0 for stats in played), name
        assert (sum(stats.round_score_quarters for stats in played) > 0) == (name in beaten), name


def test_lab_rightly_says_how_little_a_difference_of_tiles_means() -> None:
    """The same script among the same rivals differs by that much from start to start, half of the time."""
    (strategy,) = (strategy for strategy in list_strategies() if strategy.head.name == "lab")
    said = re.search(r"a difference of (\d+) tiles means little", strategy.body)
    assert said
    programs = [
        compile_source(load_warriors()[name].lines) for name in ("painter", "hunter", "gambler", "raider")
    ]
    jobs = [BattleJob(programs, seed=0, spawn=start, ticks=400, bomb_cost=12) for start in STARTS]
    results = start_engine(EngineChoice.AUTO).run_battles(jobs)
    for seat in range(SEAT_COUNT):
        pairs = itertools.combinations([result.stats[seat].tiles for result in results], 2)
        apart = [abs(one - other) >= int(said[1]) for one, other in pairs]
        assert sum(apart) / len(apart) > 0.4
