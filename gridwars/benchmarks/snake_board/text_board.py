"""The board and all that stands around it as text, as a seat sees it (board game spec section 16.9)."""

from __future__ import annotations

from collections.abc import Iterator

from gridwars.benchmarks.snake_board.requests import PythonRequest, StepsRequest
from gridwars.benchmarks.snake_board.rules import HEADINGS, STARTS, BoardName, Mode
from gridwars.benchmarks.snake_board.state import NOBODY, GameState, Snake
from gridwars.benchmarks.snake_board.steps import Step

_ARROWS = ("^", ">", "v", "<")
"""By heading."""
_START_MARKS = ("()", "[]")
"""By colour of a start square."""
_LEGEND = (
    "Cells: . empty  * apple  # rock  x dead segment  () [] empty start squares of the two colours  "
    "capital + ^>v< head  small letter body  small letter + ' tail"
)


def render_text(state: GameState, request: StepsRequest | PythonRequest) -> str:
    """All that the seat of a request sees, with what it may do."""
    return "".join(f"{line}\n" for line in _iterate_lines(state, request))


def describe_step(state: GameState, step: Step) -> str:
    mark = "!" if step.bitten != NOBODY else "*" if step.square in state.apples else ""
    return f"{step.token}>{state.board.names[step.square]}{mark}"


def _iterate_lines(state: GameState, request: StepsRequest | PythonRequest) -> Iterator[str]:
    config, board = state.config, state.board
    size = f"{board.width}x{board.height}"
    yield (
        f"SNAKE: THE BOARD GAME | mode {config.mode} | board {config.board} {size} | "
        f"turn {state.turn + 1} of {config.max_turns}"
    )
    yield _describe_seat(state, state.snakes[request.seat])
    yield from iterate_board_lines(state)
    yield _LEGEND
    yield "Snakes, head first:"
    for snake in state.snakes:
        yield _describe_snake(state, snake)
    yield f"Wormholes {_switch(config.wormholes)}, infinity field {_switch(config.infinity)}."
    if state.rolled is not None:
        square, content = state.rolled
        yield f"Dice: {board.names[square]} ({content})."
    steps = " ".join(describe_step(state, step) for step in request.legal)
    if isinstance(request, StepsRequest):
        yield f"Steps to take: {request.moves}. Legal first steps: {steps}"
    else:
        yield f"Moves: {request.mandatory} to take, {request.extra} extra. Legal next: {steps}"


def iterate_board_lines(state: GameState) -> Iterator[str]:
    """The board with its coordinates, a line for each row."""
    board = state.board
    is_main = board.name is BoardName.MAIN
    columns = ["ABCDEFGHIJKL"[x] if is_main else str(x + 1) for x in range(board.width)]
    yield "    " + _join(columns)
    marks = {
        square: _START_MARKS[start.square_colour]
        for square, start in zip(board.start_squares, STARTS[board.name], strict=True)
    }
    for y in range(board.height):
        label = str(y + 1) if is_main else f"{'ABCDEF'[y]}/{'GHIJKL'[y]}"
        row = range(y * board.width, (y + 1) * board.width)
        yield f"{label:>3} " + _join([_draw_square(state, square, marks) for square in row])


def _join(cells: list[str]) -> str:
    return " ".join(f"{cell:<2}" for cell in cells).rstrip()


def _draw_square(state: GameState, square: int, marks: dict[int, str]) -> str:
    owner = state.owners.get(square)
    if owner is not None:
        snake = state.snakes[owner]
        letter = letter_of(snake)
        if square == snake.body[0]:
            return letter.upper() + _ARROWS[snake.heading]
        return letter + ("'" if square == snake.body[-1] else "")
    if square in state.apples:
        return "*"
    if square in state.rocks:
        return "#"
    return "x" if square in state.dead else marks.get(square, ".")


def letter_of(snake: Snake) -> str:
    """What stands for a snake on the board, in lower case; blue and black begin alike."""
    return "k" if snake.colour == "black" else snake.colour[0]


def _describe_seat(state: GameState, snake: Snake) -> str:
    text = f"You are seat {snake.index}: {snake.colour} (letter {letter_of(snake).upper()})."
    match state.config.mode:
        case Mode.PYTHON:
            return f"{text} Saved apples: {state.saved} of {state.config.max_apples}."
        case Mode.TEAM:
            mates = [
                f"seat {mate.index}" for mate in state.seats if mate.side == snake.side and mate != snake
            ]
            return f"{text} Team-mates: {', '.join(mates) or 'none'}."
        case Mode.ADDER:
            is_adder = snake.index == state.config.adder
            return f"{text} " + (
                "You are the adder." if is_adder else f"The adder is seat {state.config.adder}."
            )
        case Mode.BASIC:
            return text


def _describe_snake(state: GameState, snake: Snake) -> str:
    noun = "seat" if snake.index < state.config.seats else "robot"
    name = f"{noun} {snake.index} {snake.colour}"
    if not snake.alive:
        return f"{name}: out, {snake.fate}"
    squares = " ".join(state.board.names[square] for square in snake.body)
    return (
        f"{name}: length {len(snake.body)}, heading {HEADINGS[snake.heading]}, "
        f"apples {snake.carried}: {squares}"
    )


def _switch(is_on: bool) -> str:
    return "on" if is_on else "off"
