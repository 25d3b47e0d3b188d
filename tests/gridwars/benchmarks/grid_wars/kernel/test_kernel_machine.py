"""Where a tick is cut, what a fault says and what a program can hold: the machine against the reference."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from gridwars.benchmarks.engines import EngineChoice
from gridwars.benchmarks.grid_wars.engine import TwinEngine, start_engine
from gridwars.benchmarks.grid_wars.frames import Frame
from gridwars.benchmarks.grid_wars.job import BattleJob, PlayedBattle
from gwl import compile_source
from gwl.builtins import ARRAY_LITERAL, FIRST_PROC
from gwl.errors import FaultCode
from gwl.limits import INSTRUCTIONS_PER_TICK, MAX_ARRAY_ELEMENTS, MIN_INTEGER
from gwl.program import Instruction, Op, ProcEntry, Program, Scope

HALT = Instruction(Op.HALT, 0, 0, 1)
SPAWN = (124, 145, 754, 775)
PRELUDE = """\
var g = 1
var h = 5
var t = true
var a = [3, 1, 2]
proc one(n) =
  return n + g
proc down(n) =
  if n < 1:
    return x()
  var m = n * 2
  return down(n - 1) + m - n
proc flag(b) =
  return not b
proc bump() =
  g = g + 1
  return g
proc step() =
  move(1, 0)
  return 100
"""
SHOW = """
k = (k * 7 + g + h) mod 1009
if k mod 3 == 0 and t:
  k = k + 1"""
"""Ends a loop's round so that the length of the next depends on the values of this one."""
LOOPS = {
    "arithmetic": "g = (g * 31 + h - 7) mod 1000\nh = -(g div 3) + h mod 9",
    "logic": "t = g < h and not t or h != 3\nif t and (g == 1 or not t):\n  g = g mod 5 + 1",
    "literals": "t = true and false or true\nt = not not t\ng = - - -7\nh = -(-h) mod 11",
    "arrays": "a[h mod 3 * 0] = a[1] + a[2] mod 7\nfor v in a:\n  g = (g + v) mod 100",
    "array literals": "a = [g, h, len(a)]\nfor v in [1, h]:\n  g = v",
    "ranges": "for i in 0 .. 3:\n  for j in i ..< 3:\n    if j == 1:\n      continue\n    g = j\n    break",
    "while": "g = 9\nwhile g > 0 and h != 0:\n  g = g - 2\n  if g == 3:\n    break",
    "calls": "g = one(one(h)) mod 50\ndiscard one(3) + one(g) * one(1)\nt = flag(flag(t))",
    "recursion": "h = down(6) mod 20\ng = one(down(2) + 1) mod 9",
    "sensors": "g = check(1, -2) + who(0, 0)\nh = x() + y() - tick() + tiles() * energy()",
    "builtins": "g = min(max(abs(-h), 2), shl(1, 3)) + xor(5, rand(9))\nh = shr(g, 1) + alive(ID) + BOMBCOST",
    "deep operands": "g = 1 + (2 + (h + (one(2) + (3 + (x() + (h - (one(g mod 7) - 2)))))))",
    "joins": "g = one(1) + (h + min(1, 2))\nt = (t or h == 1) == (flag(t) and t)\nif flag(t or t):\n  g = 1",
    "self": "g = g\nh = h\nt = t",
}
FAULTS = {
    FaultCode.UNDEFINED_VARIABLE: ("g = nowhere", "nowhere = g", "g = 1 + (nowhere + 2)"),
    FaultCode.UNDEFINED_PROC: ("g = nothing(1, 2)", "nothing()"),
    FaultCode.PROC_ARITY: ("g = one()", "g = one(1, 2)"),
    FaultCode.BUILTIN_ARITY: ("g = x(1)", "g = check(1)", "discard ID(2)"),
    FaultCode.CALL_DEPTH: ("g = down(70)",),
    FaultCode.NOT_AN_ARRAY: ("g = h[0]", "t[0] = 1", "g = a[0][0]"),
    FaultCode.INDEX_TYPE: ("g = a[t]", "g = a[a]"),
    FaultCode.ITEM_TYPE: ("a[t] = 1", "a[0] = t", "a[0] = a", "a[a] = t"),
    FaultCode.INDEX_RANGE: ("g = a[3]", "a[-1] = 2", "g = [][0]"),
    FaultCode.LITERAL_TYPE: ("a = [1, t, 2]", "a = [a, t]"),
    FaultCode.COMPARE_TYPES: ("t = g == t", "t = a != a", "if a == 1:\n  g = 2"),
    FaultCode.ORDER_TYPES: (
        "t = t < t",
        "while g >= a:\n  g = 1",
        "for i in 1 .. t:\n  g = i",
        "for i in t .. 2:\n  g = i",
    ),
    FaultCode.ARITH_TYPES: ("g = g + t", "g = a * 2", "g = t div 0"),
    FaultCode.DIV_ZERO: ("g = h div 0", "g = div(-4, 0)"),
    FaultCode.MOD_ZERO: ("g = h mod 0", "g = mod(9, 0)"),
    FaultCode.OVERFLOW: (
        "g = 9223372036854775807 + 1",
        "g = -9223372036854775807 - 2",
        "g = 3037000500 * 3037000500",
        "g = -4611686018427387904 * 2\ng = -g",
        "g = -9223372036854775807 - 1\ng = g div -1",
        "g = -9223372036854775807 - 1\ng = abs(g)",
        "g = -9223372036854775807 - 1\ng = g * -1",
        "g = 4294967296 * 2147483648",
    ),
    FaultCode.NEG_TYPE: ("g = -t", "g = - - a", "g = - - -t"),
    FaultCode.NOT_TYPE: ("t = not g", "t = not not a"),
    FaultCode.LOGIC_TYPE: ("t = t and g", "t = not t or a", "if t and one(1):\n  g = 2"),
    FaultCode.CONDITION_TYPE: ("if g:\n  g = 2", "while a:\n  g = 2", "t = one(2) or t", "t = 1 and t"),
    FaultCode.BOOL_ARGUMENT: ("g = abs(t)", "g = check(a, t)", "g = min(1, t)", "g = len(true)"),
    FaultCode.INT_ARGUMENT: ("g = check(a, 1)", "g = who(1, a)"),
    FaultCode.RAND_RANGE: ("g = rand(0)", "g = rand(-g)"),
    FaultCode.LEN_TYPE: ("g = len(g)", "for i in g:\n  h = i"),
    FaultCode.SHIFT_RANGE: ("g = shl(1, 63)", "g = shr(g, -1)"),
    FaultCode.MOVE_TYPE: ("move(t, 1)", "move(1, a)", "move(a, t)"),
}
LEGAL_EDGES = (
    "g = -4611686018427387904 * 2",
    "g = 3037000499 * 3037000499",
    "g = 4294967296 * -2147483648",
    "g = -9223372036854775807 - 1\ng = g mod -1",
    "g = - - - -9223372036854775807",
    "g = max(a, alive(a)) + abs(a) + shl(a, 2)",
    "g = shl(3, 62) + shr(-1, 62)",
)


@pytest.fixture(scope="module")
def twin() -> TwinEngine:
    engine = start_engine(EngineChoice.BOTH)
    assert isinstance(engine, TwinEngine)
    return engine


@pytest.mark.parametrize("loop", LOOPS)
def test_a_tick_is_cut_at_the_same_instruction_wherever_that_falls(twin: TwinEngine, loop: str) -> None:
    """The loop never acts; unless its length divides the budget, every tick ends elsewhere in it."""
    lines = set()
    for extra in ("", "\ndiscard 0", "\ng = 2\nh = g"):
        frames = _watch(twin, "var k = 0\n" + _loop(LOOPS[loop] + SHOW + extra), ticks=49)
        assert frames[-1].warriors[0].alive
        lines |= {frame.warriors[0].line for frame in frames[1:]}
    assert len(lines) > 2


@pytest.mark.parametrize("loop", LOOPS)
def test_an_action_takes_place_in_the_same_tick_wherever_the_budget_ends(twin: TwinEngine, loop: str) -> None:
    body = f"{LOOPS[loop]}{SHOW}\nn = n + 1\nif n mod 60 == 0:\n  move(k mod 2, 1)"
    frames = _watch(twin, "var k = 0\nvar n = 0\n" + _loop(body), ticks=120)
    assert len({frame.warriors[0].cell for frame in frames}) > 3


@pytest.mark.parametrize("code", FAULTS)
def test_a_fault_has_the_same_line_text_and_numbers(twin: TwinEngine, code: FaultCode) -> None:
    for body in FAULTS[code]:
        stats = _play(twin, f"wait()\n{body}\nplace()").result.stats[0]
        assert (stats.fault_code, stats.death_tick) == (code, 1), body


@pytest.mark.parametrize("code", FAULTS)
def test_a_fault_comes_in_the_tick_that_pays_for_its_instruction(twin: TwinEngine, code: FaultCode) -> None:
    """A loop of 9 instructions a round, then some single ones, bring the budget's end to each place in it."""
    death_ticks = set()
    for rounds in (125, 126, 127) if code is FaultCode.CALL_DEPTH else (217, 218, 219):
        for padding in range(9):
            idle = "discard 0\n" * (padding % 2 * 2) + "discard -1\n" * (padding // 2)
            body = f"var k = 0\nwhile k < {rounds}:\n  k = k + 1\n{idle}{FAULTS[code][0]}"
            stats = _play(twin, body).result.stats[0]
            assert stats.fault_code is code
            death_ticks.add(stats.death_tick)
    assert death_ticks == {0, 1}


@pytest.mark.parametrize("body", LEGAL_EDGES)
def test_arithmetic_at_the_edge_of_64_bits_is_no_fault(twin: TwinEngine, body: str) -> None:
    assert _play(twin, f"{body}\nplace()").result.stats[0].fault_code is None


def test_a_faulting_instruction_beyond_the_budget_faults_in_the_next_tick(twin: TwinEngine) -> None:
    for count in (INSTRUCTIONS_PER_TICK - 4, INSTRUCTIONS_PER_TICK - 3, INSTRUCTIONS_PER_TICK - 2):
        padding = tuple(Instruction(Op.PUSH, 0, 1, 1) for _ in range(count - 1))
        fault = (Instruction(Op.PUSH, 0, 1, 2), Instruction(Op.UNARY, 0, 0, 2))
        rest = (Instruction(Op.LEAVE, count, 0, 3), Instruction(Op.HALT, 0, 0, 4))
        program = Program((Instruction(Op.JUMP, 1, 0, 1), *padding, *fault, *rest), (), (), (), ())
        stats = twin.play_battle(_job(program)).result.stats[0]
        assert stats.death_tick == (0 if count + 2 <= INSTRUCTIONS_PER_TICK else 1)


@pytest.mark.parametrize("sensor", ["tick()", "energy()"])
def test_a_sensor_is_read_in_the_tick_that_pays_for_it(twin: TwinEngine, sensor: str) -> None:
    """A difference shows that the budget ended between two readings in one expression."""
    search = _loop(f"if {sensor} + h * 1 - h - {sensor} != 0:\n  break")
    frames = _watch(twin, _loop(f"place()\n{search}\nmove(1, 0)"), ticks=40)
    assert len({frame.warriors[0].cell for frame in frames}) > 2


@pytest.mark.parametrize(
    "expression",
    ["g + bump()", "g + bump() * (g - bump())", "h - (g + one(bump()) + g)", "[g, bump(), g][0]"],
)
def test_an_operand_keeps_the_value_it_had_before_a_later_call(twin: TwinEngine, expression: str) -> None:
    _watch(twin, _loop(f"h = {expression}\nmove(h mod 2, 1)\nmove(h mod 3 mod 2, 1)"), ticks=60)


def test_a_position_is_read_before_a_later_call_moves(twin: TwinEngine) -> None:
    _watch(twin, _loop("h = x() * 2 + step() + x() * y()\nmove(h mod 2, 1)"), ticks=60)
    _watch(twin, _loop("h = x() + step() + x()\nmove(h mod 3 mod 2, 1)"), ticks=60)


def test_chains_of_thousands_of_operators_are_cut_where_they_should_be(twin: TwinEngine) -> None:
    minuses = "\n".join(["-" * 90] * 30)
    frames = _watch(twin, f"while true:\n  g = {minuses}\nh\n  t = {'not ' * 20}t", ticks=49)
    assert len({frame.warriors[0].line for frame in frames}) > 3


def test_a_local_that_a_jump_leaves_unwritten_is_zero(twin: TwinEngine) -> None:
    """No source does this: the proc stores 7 only where its argument is true."""
    load, store = Instruction(Op.LOAD, 1, Scope.LOCAL, 2), Instruction(Op.STORE, 1, Scope.LOCAL, 2)
    seven, one = Instruction(Op.PUSH, 0, 0, 1), Instruction(Op.PUSH, 1, 0, 1)
    true, false = Instruction(Op.PUSH, 1, 1, 1), Instruction(Op.PUSH, 0, 1, 1)
    call, act = Instruction(Op.CALL, FIRST_PROC, 1, 3), Instruction(Op.ACTION, 1, 2, 3)
    instructions = (
        Instruction(Op.JUMP, 8, 0, 1),
        Instruction(Op.ENTER, 2, 0, 2),
        Instruction(Op.LOAD, 0, Scope.LOCAL, 2),
        Instruction(Op.JUMP_FALSE, 6, 0, 2),
        *(seven, store, load, Instruction(Op.RETURN, 0, 0, 2)),
        *(true, call, one, act, false, call, one, act),
        Instruction(Op.JUMP, 8, 0, 4),
    )
    procs = (ProcEntry("f", 1, 1, 2),)
    frames = list(twin.iterate_frames(_job(Program(instructions, (7, 1), (), (), procs), ticks=2)))
    assert [frame.warriors[0].cell - SPAWN[0] for frame in frames] == [0, 0, 30]


def test_local_slots_are_zero_again_when_a_proc_is_entered_again(twin: TwinEngine) -> None:
    script = """\
var seen = 0
proc f(n) =
  if n > 0:
    var late = n
    for i in i .. 2:
      late = late + i
    seen = seen + late
  for k in k .. 1:
    seen = seen + k
  return seen
while true:
  discard f(3) + f(0) + f(2)
  move(seen mod 3 - 1, 1)"""
    _watch(twin, script, ticks=100)


def test_a_proc_that_calls_itself_keeps_the_values_of_every_call(twin: TwinEngine) -> None:
    script = """\
var total = 0
proc swap(a, b, depth) =
  var mine = a * 10 + b
  if depth == 0:
    return mine
  var inner = 1 + (mine + swap(b, a, depth - 1) * (1 + other(depth - 1)))
  total = (total + mine + inner) mod 100000
  return inner mod 1000 + mine
proc other(depth) =
  if depth == 0:
    return 1
  return depth + swap(depth, other(depth - 1), 0)
while true:
  discard swap(total mod 7, 2, 6)
  move(total mod 3 - 1, total mod 2)"""
    _watch(twin, script, ticks=60)


MANY = range(70)
RECURSIONS = {
    "arguments change places": "proc f(a, b) =\n  if b == 0:\n    return a\n  return f(b, a mod b)",
    "arguments go around": "proc f(a, b) =\n  if a < 1:\n    return b\n  return f(b - 1, a) * 2 + b - a",
    "an argument stays": "proc f(a, b) =\n  if b < 1:\n    return a\n  return f(a, b div 2) + f(a, b div 3)",
    "a parameter waits as an operand": (
        "proc f(a, b) =\n  if a < 1:\n    return b\n  return a * 3 + (b - (f(a - 2, b + a) - a)) mod 97"
    ),
    "a parameter takes the result": (
        "proc f(a, b) =\n  if a > 0:\n    a = a + f(a - 2, b)\n    b = f(a mod 2 - 1, a) - b\n  return a - b"
    ),
    "a loop needs its variables": (
        "proc f(a, b) =\n  for i in 1 .. a:\n    b = (b + i * f(i - 3, a)) mod 97\n"
        "    if b mod 5 == 0:\n      break\n  return b"
    ),
    "procs call each other": (
        "proc f(a, b) =\n  var c = a * 2\n  if a < 1:\n    return e(b)\n"
        "  return c + e(b - 1) * f(a - 1, c) mod 97\n"
        "proc e(n) =\n  if n > 5:\n    return d(n mod 3, n - 6) + n\n  return n - 1\n"
        "proc d(a, b) =\n  return f(a, b) - b"
    ),
    "more locals than a word has bits": (
        "proc f(a, b) =\n"
        + "".join(f"  var l{n} = a + {n}\n" for n in MANY)
        + "  if a > 0:\n    b = f(a - 4, b + l69)\n  return (b + l0 * 3 + l63 * 5 + l64 * 7 + l69) mod 97"
    ),
}


@pytest.mark.parametrize("recursion", RECURSIONS)
def test_a_call_that_leads_back_leaves_what_is_needed_after_it(twin: TwinEngine, recursion: str) -> None:
    script = f"{RECURSIONS[recursion]}\nvar g = 0\nvar k = 0\n"
    loop = _loop("k = k + 1\ng = f(k mod 9, g mod 13 + k mod 7)\nmove(g mod 2, 1)")
    job = _job(compile_source((script + loop).split("\n")), ticks=60)
    assert twin.play_battle(job).result.stats[0].fault_code is None
    assert len({frame.warriors[0].cell for frame in twin.iterate_frames(job)}) > 10


def test_a_local_read_at_the_end_of_many_jumps_back_is_kept_and_zeroed(twin: TwinEngine) -> None:
    """No source does this: each jump leads to the one before it, and the first to where the local is read."""
    jumps = [Instruction(Op.JUMP, 3 if place == 5 else place - 1, 0, 2) for place in range(5, 45)]
    flag, late = Instruction(Op.LOAD, 0, Scope.LOCAL, 2), Instruction(Op.LOAD, 1, Scope.LOCAL, 2)
    true, false = Instruction(Op.PUSH, 1, 1, 1), Instruction(Op.PUSH, 0, 1, 1)
    call, to_jumps = Instruction(Op.CALL, FIRST_PROC, 1, 3), Instruction(Op.JUMP, 44, 0, 2)
    instructions = (
        Instruction(Op.JUMP, 53, 0, 1),
        *(Instruction(Op.ENTER, 2, 0, 2), Instruction(Op.JUMP, 45, 0, 2)),
        *(late, Instruction(Op.RETURN, 0, 0, 2)),
        *jumps,
        *(flag, Instruction(Op.JUMP_FALSE, 44, 0, 2)),
        *(Instruction(Op.PUSH, 0, 0, 2), Instruction(Op.STORE, 1, Scope.LOCAL, 2)),
        *(false, call, Instruction(Op.STORE, 0, Scope.GLOBAL, 2), to_jumps),
        *(true, call, Instruction(Op.LOAD, 0, Scope.GLOBAL, 3), Instruction(Op.ACTION, 1, 2, 3)),
        Instruction(Op.JUMP, 53, 0, 4),
    )
    program = Program(instructions, (1,), (), ("inner",), (ProcEntry("f", 1, 1, 2),))
    frames = list(twin.iterate_frames(_job(program, ticks=5)))
    assert [frame.warriors[0].cell - SPAWN[0] for frame in frames] == [0, 1, 2, 3, 4, 5]


def test_arrays_may_not_hold_more_than_their_limit_together(twin: TwinEngine) -> None:
    """No source gets there, so the program is written by hand: literals of 1000 elements each."""
    size = 1000
    instructions = [Instruction(Op.JUMP, 1, 0, 1)]
    for line in range(1, MAX_ARRAY_ELEMENTS // size + 2):
        instructions += [Instruction(Op.PUSH, 0, 0, line)] * size
        instructions += [Instruction(Op.CALL, ARRAY_LITERAL, size, line), Instruction(Op.LEAVE, 1, 0, line)]
    instructions.append(Instruction(Op.HALT, 0, 0, 9))
    stats = twin.play_battle(_job(Program(tuple(instructions), (7,), (), (), ()))).result.stats[0]
    assert (stats.fault_code, stats.fault_line) == (FaultCode.ALLOCATION, 5)


def test_the_least_integer_as_a_constant_has_no_negation(twin: TwinEngine) -> None:
    """No source can write it."""
    negate = (Instruction(Op.PUSH, 0, 0, 1), Instruction(Op.UNARY, 0, 0, 1), Instruction(Op.LEAVE, 1, 0, 1))
    program = Program((Instruction(Op.JUMP, 1, 0, 1), *negate, HALT), (MIN_INTEGER,), (), (), ())
    assert twin.play_battle(_job(program)).result.stats[0].fault_code is FaultCode.OVERFLOW


def test_a_variable_stored_while_its_old_value_is_an_operand_changes_nothing_in_it(twin: TwinEngine) -> None:
    """No source does this: LOAD g, PUSH 5, STORE g, and only then the loaded value is used."""
    load, store = Instruction(Op.LOAD, 0, Scope.GLOBAL, 1), Instruction(Op.STORE, 0, Scope.GLOBAL, 1)
    push = Instruction(Op.PUSH, 0, 0, 1)
    instructions = (
        Instruction(Op.JUMP, 1, 0, 1),
        *(load, push, store, load, Instruction(Op.ACTION, 1, 2, 2)),
        *(push, store, Instruction(Op.JUMP, 1, 0, 3)),
    )
    program = Program(instructions, (1,), (), ("g",), ())
    frames = list(twin.iterate_frames(_job(program, ticks=5)))
    assert [frame.warriors[0].cell - SPAWN[0] for frame in frames] == [0, 30, 61, 92, 123, 154]


def test_a_local_that_takes_a_result_while_its_old_value_is_an_operand_changes_nothing_in_it(
    twin: TwinEngine,
) -> None:
    """No source does this: LOAD n, CALL five, STORE n, and only then the loaded value is returned."""
    load, store = Instruction(Op.LOAD, 0, Scope.LOCAL, 1), Instruction(Op.STORE, 0, Scope.LOCAL, 1)
    five, one = Instruction(Op.PUSH, 0, 0, 1), Instruction(Op.PUSH, 1, 0, 1)
    done = Instruction(Op.RETURN, 0, 0, 1)
    instructions = (
        Instruction(Op.JUMP, 9, 0, 1),
        *(Instruction(Op.ENTER, 0, 0, 1), five, done),
        *(Instruction(Op.ENTER, 1, 0, 1), load, Instruction(Op.CALL, FIRST_PROC, 0, 1), store, done),
        *(one, Instruction(Op.CALL, FIRST_PROC + 1, 1, 2), one, Instruction(Op.ACTION, 1, 2, 2), HALT),
    )
    procs = (ProcEntry("five", 1, 0, 0), ProcEntry("f", 4, 1, 1))
    frames = list(twin.iterate_frames(_job(Program(instructions, (5, 1), (), (), procs), ticks=1)))
    assert frames[-1].warriors[0].cell - SPAWN[0] == 31


def _loop(body: str) -> str:
    return "while true:\n" + "\n".join("  " + line for line in body.split("\n"))


def _job(program: Program, *, ticks: int = 60) -> BattleJob:
    return BattleJob([program, None, None, None], seed=5, spawn=SPAWN, ticks=ticks, bomb_cost=12)


def _compile(script: str) -> Program:
    return compile_source((PRELUDE + script).split("\n"))


def _play(twin: TwinEngine, script: str) -> PlayedBattle:
    return twin.play_battle(_job(_compile(script)))


def _watch(twin: TwinEngine, script: str, *, ticks: int) -> Sequence[Frame]:
    """Frames hold the line of every tick, which digests do not."""
    job = _job(_compile(script), ticks=ticks)
    twin.play_battle(job)
    return list(twin.iterate_frames(job))
