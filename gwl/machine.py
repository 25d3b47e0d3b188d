"""The resumable, metered machine of GWL v1 section 5."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import msgspec

from gwl.arithmetic import BINARY_BUILTINS, Faulted, divide, remainder
from gwl.decoding import (
    ABSOLUTE,
    ACT,
    ADD,
    ALIVE,
    ARRAY,
    ASSERT_BOOLEAN,
    BOMB_COST,
    CALL,
    CHECK,
    COMPUTE,
    DIVIDE,
    DROP,
    ENERGY,
    ENTER,
    EQUAL,
    GREATER,
    GREATER_EQUAL,
    HALT,
    JUMP,
    JUMP_FALSE,
    LENGTH,
    LESS,
    LESS_EQUAL,
    LOAD_GLOBAL,
    LOAD_ITEM,
    LOAD_LOCAL,
    MODULO,
    MULTIPLY,
    NEGATE,
    NOT,
    NOT_EQUAL,
    PUSH,
    RETURN,
    STORE_GLOBAL,
    STORE_ITEM,
    STORE_LOCAL,
    SUBTRACT,
    TICK,
    TILES,
    WARRIOR_ID,
    WHO,
    X,
    Y,
    decode,
    find_refusal,
)
from gwl.errors import Fault, FaultCode
from gwl.faults import make_fault
from gwl.limits import INSTRUCTIONS_PER_TICK, MAX_ARRAY_ELEMENTS, MAX_CALL_DEPTH, MAX_INTEGER, MIN_INTEGER
from gwl.program import ActionKind, Op, Program
from gwl.snapshot import SavedArray, SavedCaller, SavedHandle, SavedValue, Snapshot, read_snapshot
from gwl.values import Array, Value, kind_of
from gwl.xorshift import first_state, next_state


class Sensors(Protocol):
    """What a warrior can ask about the world; an arena supplies it. All values are integers."""

    def check(self, dx: int, dy: int) -> int: ...
    def who(self, dx: int, dy: int) -> int: ...
    def x(self) -> int: ...
    def y(self) -> int: ...
    def tiles(self) -> int: ...
    def energy(self) -> int: ...
    def tick(self) -> int: ...
    def alive(self, warrior_id: int) -> int: ...


class Step(NamedTuple):
    """What one tick's run came to.

    Attributes:
        kind: `NONE` after a fault or halt; a stall is `WAIT` with `stalled` true.
        dx, dy: the offset of a move, any int64; else 0.
        line: the line of the action or stall; 0 where `kind` is `NONE`.
        spent: instructions executed.
    """

    kind: ActionKind
    dx: int
    dy: int
    line: int
    stalled: bool
    spent: int


class Machine:
    """One warrior's machine. Not shared between threads.

    Attributes:
        program: shared and immutable.
        line: the line last reported by an action or stall, 0 at first.
        halted: true after the end of the program; stays false after a fault (as in the vectors).
        fault: set when the machine faulted; it then never runs again: `resume` gives `NONE`, 0 spent.
        rng: state of the rand stream, an unsigned 64-bit word.
    """

    __slots__ = (
        "_address",
        "_arrays",
        "_bomb_cost",
        "_callers",
        "_code",
        "_globals",
        "_locals",
        "_seat",
        "_stack",
        "fault",
        "halted",
        "line",
        "program",
        "rng",
    )

    def __init__(self, program: Program, *, seat: int, seed: int, bomb_cost: int) -> None:
        self.program = program
        self.line = 0
        self.halted = False
        self.fault: Fault | None = None
        self.rng = first_state(seed, seat)
        self._seat = seat
        self._bomb_cost = bomb_cost
        self._code = decode(program)
        self._address = 0
        self._stack: list[Value] = []
        self._globals: list[Value] = [0] * program.global_count
        self._locals: list[Value] = []
        self._callers: list[tuple[int, list[Value]]] = []
        """Of each open call, the address to return to and the caller's locals."""
        self._arrays: dict[int, Array] = {}
        """By address of the literal, in order of creation."""

    def resume(self, sensors: Sensors, budget: int = INSTRUCTIONS_PER_TICK) -> Step:
        """Runs to the next action, stall, fault or halt."""
        if self.halted or self.fault is not None:
            return _idle_step(0)
        steps, constants, procs = self._code
        stack, global_values, callers = self._stack, self._globals, self._callers
        address, local_values = self._address, self._locals
        spent = 0
        try:
            # The loop counter is the meter: it costs the least, and no path can forget to pay.
            for spent in range(1, budget + 1):
                opcode, operand = steps[address]
                address += 1

                if opcode <= STORE_GLOBAL:
                    if opcode == LOAD_LOCAL:
                        stack.append(local_values[operand])
                    elif opcode == LOAD_GLOBAL:
                        stack.append(global_values[operand])
                    elif opcode == PUSH:
                        stack.append(constants[operand])
                    elif opcode == STORE_LOCAL:
                        local_values[operand] = stack.pop()
                    else:
                        global_values[operand] = stack.pop()

                elif opcode <= JUMP:
                    if opcode == JUMP_FALSE:
                        condition = stack.pop()
                        if condition is False:
                            address = operand
                        elif condition is not True:
                            raise Faulted(FaultCode.CONDITION_TYPE, kind_of(condition))
                    else:
                        address = operand

                elif opcode <= MODULO:
                    right = stack.pop()
                    left = stack.pop()
                    if type(left) is not int or type(right) is not int:
                        raise Faulted(FaultCode.ARITH_TYPES, kind_of(left), kind_of(right))
                    if opcode == ADD:
                        result = left + right
                    elif opcode == SUBTRACT:
                        result = left - right
                    elif opcode == MULTIPLY:
                        result = left * right
                    elif opcode == DIVIDE:
                        result = divide(left, right)
                    else:
                        result = remainder(left, right)
                    if result > MAX_INTEGER or result < MIN_INTEGER:
                        raise Faulted(FaultCode.OVERFLOW, left, right)
                    stack.append(result)

                elif opcode <= GREATER_EQUAL:
                    right = stack.pop()
                    left = stack.pop()
                    if type(left) is int and type(right) is int:
                        if opcode == LESS:
                            stack.append(left < right)
                        elif opcode == EQUAL:
                            stack.append(left == right)
                        elif opcode == LESS_EQUAL:
                            stack.append(left <= right)
                        elif opcode == GREATER:
                            stack.append(left > right)
                        elif opcode == NOT_EQUAL:
                            stack.append(left != right)
                        else:
                            stack.append(left >= right)
                    elif opcode > NOT_EQUAL:
                        raise Faulted(FaultCode.ORDER_TYPES, kind_of(left), kind_of(right))
                    elif type(left) is not bool or type(right) is not bool:
                        raise Faulted(FaultCode.COMPARE_TYPES, kind_of(left), kind_of(right))
                    else:
                        stack.append((left is right) == (opcode == EQUAL))

                elif opcode <= ASSERT_BOOLEAN:
                    operand_value = stack.pop()
                    if opcode == NEGATE:
                        if type(operand_value) is not int:
                            raise Faulted(FaultCode.NEG_TYPE, kind_of(operand_value))
                        if operand_value == MIN_INTEGER:
                            raise Faulted(FaultCode.OVERFLOW, operand_value)
                        stack.append(-operand_value)
                    elif type(operand_value) is not bool:
                        code = FaultCode.NOT_TYPE if opcode == NOT else FaultCode.LOGIC_TYPE
                        raise Faulted(code, kind_of(operand_value))
                    else:
                        stack.append(not operand_value if opcode == NOT else operand_value)

                elif opcode <= ARRAY:
                    if opcode == LOAD_ITEM:
                        index = stack.pop()
                        array = stack.pop()
                        if type(array) is not Array:
                            raise Faulted(FaultCode.NOT_AN_ARRAY, kind_of(array))
                        if type(index) is not int:
                            raise Faulted(FaultCode.INDEX_TYPE, kind_of(index))
                        if not 0 <= index < len(array.items):
                            raise Faulted(FaultCode.INDEX_RANGE, index, len(array.items))
                        stack.append(array.items[index])
                    elif opcode == LENGTH:
                        array = stack.pop()
                        if type(array) is bool:
                            raise Faulted(FaultCode.BOOL_ARGUMENT, 1)
                        if type(array) is not Array:
                            raise Faulted(FaultCode.LEN_TYPE)
                        stack.append(len(array.items))
                    elif opcode == STORE_ITEM:
                        value = stack.pop()
                        index = stack.pop()
                        array = stack.pop()
                        if type(array) is not Array:
                            raise Faulted(FaultCode.NOT_AN_ARRAY, kind_of(array))
                        if type(index) is not int or type(value) is not int:
                            raise Faulted(FaultCode.ITEM_TYPE, kind_of(index), kind_of(value))
                        if not 0 <= index < len(array.items):
                            raise Faulted(FaultCode.INDEX_RANGE, index, len(array.items))
                        array.items[index] = value
                    else:
                        stack.append(self._fill_array(address - 1, operand))

                elif opcode <= DROP:
                    if opcode == CALL:
                        entry, arity = procs[operand]
                        first_argument = len(stack) - arity
                        arguments = stack[first_argument:]
                        del stack[first_argument:]
                        if len(callers) == MAX_CALL_DEPTH:
                            raise Faulted(FaultCode.CALL_DEPTH)
                        callers.append((address, local_values))
                        address, local_values = entry, arguments
                    elif opcode == ENTER:
                        local_values.extend([0] * (operand - len(local_values)))
                    elif opcode == RETURN:
                        address, local_values = callers.pop()
                    else:
                        del stack[len(stack) - operand :]

                elif opcode <= COMPUTE:
                    second = stack.pop()
                    first = stack.pop()
                    if type(first) is not int or type(second) is not int:
                        first, second = _integer_arguments((first, second), array_fits=opcode == COMPUTE)
                    if opcode == CHECK:
                        stack.append(sensors.check(first, second))
                    elif opcode == WHO:
                        stack.append(sensors.who(first, second))
                    else:
                        stack.append(BINARY_BUILTINS[operand](first, second))

                elif opcode <= ABSOLUTE:
                    argument = stack.pop()
                    if type(argument) is not int:
                        (argument,) = _integer_arguments((argument,), array_fits=True)
                    if opcode == ALIVE:
                        stack.append(sensors.alive(argument))
                    elif opcode == ABSOLUTE:
                        if argument == MIN_INTEGER:
                            raise Faulted(FaultCode.OVERFLOW, argument)
                        stack.append(abs(argument))
                    else:
                        if argument < 1:
                            raise Faulted(FaultCode.RAND_RANGE, argument)
                        self.rng = next_state(self.rng)
                        stack.append(self.rng % argument)

                elif opcode <= BOMB_COST:
                    if opcode == X:
                        stack.append(sensors.x())
                    elif opcode == Y:
                        stack.append(sensors.y())
                    elif opcode == TILES:
                        stack.append(sensors.tiles())
                    elif opcode == ENERGY:
                        stack.append(sensors.energy())
                    elif opcode == TICK:
                        stack.append(sensors.tick())
                    elif opcode == WARRIOR_ID:
                        stack.append(self._seat + 1)
                    else:
                        stack.append(self._bomb_cost)

                elif opcode == ACT:
                    dx, dy = _pop_offset(stack) if operand == ActionKind.MOVE else (0, 0)
                    self.line = self.program.instructions[address - 1].line
                    return Step(_ACTION_KINDS[operand], dx, dy, self.line, False, spent)
                elif opcode == HALT:
                    self.halted = True
                    address -= 1
                    return _idle_step(spent)
                else:
                    raise self._refuse(address - 1)
        except Faulted as faulted:
            address -= 1
            self.fault = make_fault(self.program, address, faulted.code, faulted.numbers)
            return _idle_step(spent)
        finally:
            self._address, self._locals = address, local_values
        self.line = self.program.instructions[address].line
        return Step(ActionKind.WAIT, 0, 0, self.line, True, spent)

    @property
    def open_calls(self) -> int:
        return len(self._callers)

    @property
    def stack_size(self) -> int:
        return len(self._stack)

    def globals(self) -> dict[str, Value]:
        """The value of every global by name; arrays are the machine's own, to be looked at only."""
        named = zip(self.program.global_names, self._globals, strict=True)
        return {name: value for name, value in named if name}

    def save(self) -> dict[str, object]:
        """The whole state as JSON-ready plain data, the program aside."""
        snapshot = Snapshot(
            seat=self._seat,
            bomb_cost=self._bomb_cost,
            rng=self.rng,
            line=self.line,
            halted=self.halted,
            fault=self.fault,
            address=self._address,
            stack=_save_values(self._stack),
            globals=_save_values(self._globals),
            locals=_save_values(self._locals),
            callers=[SavedCaller(address, _save_values(values)) for address, values in self._callers],
            arrays=[SavedArray(site, array.items) for site, array in self._arrays.items()],
        )
        plain: dict[str, object] = msgspec.to_builtins(snapshot)
        return plain

    @classmethod
    def restore(cls, program: Program, saved: dict[str, object]) -> Machine:
        """The machine that `save` described; raises ValueError naming what does not fit."""
        snapshot = read_snapshot(program, saved)
        arrays = [Array(number, array.items) for number, array in enumerate(snapshot.arrays)]
        machine = cls(program, seat=snapshot.seat, seed=0, bomb_cost=snapshot.bomb_cost)
        machine.rng = snapshot.rng
        machine.line = snapshot.line
        machine.halted = snapshot.halted
        machine.fault = snapshot.fault
        machine._address = snapshot.address
        machine._stack = _restore_values(snapshot.stack, arrays)
        machine._globals = _restore_values(snapshot.globals, arrays)
        machine._locals = _restore_values(snapshot.locals, arrays)
        machine._callers = [
            (caller.address, _restore_values(caller.locals, arrays)) for caller in snapshot.callers
        ]
        machine._arrays = {
            saved_array.site: array for saved_array, array in zip(snapshot.arrays, arrays, strict=True)
        }
        return machine

    def _fill_array(self, site: int, count: int) -> Array:
        """Runs the array literal at address `site` on the top `count` values."""
        items: list[int] = []
        for element_index in reversed(range(count)):
            item = self._stack.pop()
            if type(item) is not int:
                raise Faulted(FaultCode.LITERAL_TYPE, element_index, kind_of(item))
            items.append(item)
        items.reverse()
        array = self._arrays.get(site)
        if array is None:
            in_use = sum(len(array.items) for array in self._arrays.values())
            if in_use + count > MAX_ARRAY_ELEMENTS:
                raise Faulted(FaultCode.ALLOCATION, in_use, count)
            array = self._arrays[site] = Array(len(self._arrays), items)
        array.items = items
        return array

    def _refuse(self, address: int) -> Faulted:
        instruction = self.program.instructions[address]
        refusal = find_refusal(self.program, instruction)
        assert refusal is not None
        if instruction.op is Op.STORE:
            self._stack.pop()
        code, numbers = refusal
        return Faulted(code, *numbers)


_ACTION_KINDS = tuple(ActionKind)


def _idle_step(spent: int) -> Step:
    return Step(ActionKind.NONE, 0, 0, 0, False, spent)


def _pop_offset(stack: list[Value]) -> tuple[int, int]:
    dy = stack.pop()
    dx = stack.pop()
    if type(dx) is not int:
        raise Faulted(FaultCode.MOVE_TYPE, 1, kind_of(dx))
    if type(dy) is not int:
        raise Faulted(FaultCode.MOVE_TYPE, 2, kind_of(dy))
    return dx, dy


def _integer_arguments(values: tuple[Value, ...], *, array_fits: bool) -> list[int]:
    """What a builtin makes of arguments that are not all integers.

    A boolean is a fault; so is an array unless `array_fits`, where it counts as its number.
    """
    for argument_number, value in enumerate(values, start=1):
        if type(value) is bool:
            raise Faulted(FaultCode.BOOL_ARGUMENT, argument_number)
    integers = []
    for argument_number, value in enumerate(values, start=1):
        if isinstance(value, Array):
            if not array_fits:
                raise Faulted(FaultCode.INT_ARGUMENT, argument_number)
            value = value.number
        integers.append(value)
    return integers


def _save_values(values: list[Value]) -> list[SavedValue]:
    return [SavedHandle(value.number) if isinstance(value, Array) else value for value in values]


def _restore_values(values: list[SavedValue], arrays: list[Array]) -> list[Value]:
    return [arrays[value.array] if isinstance(value, SavedHandle) else value for value in values]
