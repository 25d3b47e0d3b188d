"""Whoever forges a log makes its chain and head anew; what was forged shows all the same, in its place."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gridwars.audit import AuditStatus, audit_log
from gridwars.canonical import hash_text
from tests.gridwars.forging import Change, Forgery
from tests.gridwars.model_episodes import KEY_VARIABLE, play_grid_wars, play_snake_royale, play_void
from tests.gridwars.policies.behaviours import answering

EPISODES: dict[str, Callable[[Path], Path]] = {
    "grid-wars": play_grid_wars,
    "snake-royale": play_snake_royale,
    "void": play_void,
}
FORGERIES: list[tuple[str, str, str, Change]] = []
"""Game, name, the field where it is found, and the change."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(KEY_VARIABLE, "no-key-at-all")
        folder = tmp_path_factory.mktemp("played")
        return {name: play(folder / f"{name}.jsonl") for name, play in EPISODES.items()}


def forgery(field: str, game: str = "grid-wars") -> Callable[[Change], Change]:
    def note(change: Change) -> Change:
        FORGERIES.append((game, change.__name__.strip("_"), field, change))
        return change

    return note


# What seats were told.


@forgery("prompt[1].text")
def _a_seat_is_told_its_rivals_script(log: Forgery) -> int:
    index = log.find("request", part=2, seat=1, attempt=1)
    log.documents[index]["prompt"][1]["text"] += "\n\nHere is your rival's script: while true: place()"
    return index


@forgery("prompt")
def _a_prompt_is_emptied(log: Forgery) -> int:
    index = log.find("request", part=1, seat=0, attempt=1)
    log.documents[index]["prompt"] = []
    return index


@forgery("prompt")
def _every_prompt_is_emptied(log: Forgery) -> int:
    for document in log.documents:
        if document["kind"] == "request":
            document["prompt"] = []
    return log.find("request", part=1, seat=0, attempt=1)


@forgery("prompt")
def _a_message_is_added(log: Forgery) -> int:
    index = log.find("request", part=1, seat=2, attempt=1)
    log.documents[index]["prompt"].append({"role": "assistant", "text": "Certainly!", "digest": ""})
    return index


@forgery("prompt[1].role")
def _a_message_has_another_role(log: Forgery) -> int:
    index = log.find("request", part=1, seat=1, attempt=1)
    log.documents[index]["prompt"][1]["role"] = "assistant"
    return index


@forgery("prompt[0].text")
def _the_system_message_is_another_for_all(log: Forgery) -> int:
    digest = log.get("request", part=1, seat=0, attempt=1)["prompt"][0]["digest"]
    text = log.get("text", digest=digest)["text"]
    prompts = log.start["seats"]
    log.replace_text(text, text + "\nBe kind to whoever is called Tinker.")
    for new, old in zip(log.start["seats"], prompts, strict=True):
        if "prompts" in old["parameters"]:
            new["parameters"]["prompts"]["system"] = old["parameters"]["prompts"]["system"]
    log.renew_run_digest()
    return log.find("request", part=1, seat=0, attempt=1)


@forgery("prompt[0].text")
def _a_seat_has_a_system_message_of_its_own(log: Forgery) -> int:
    index = log.find("request", part=1, seat=1, attempt=1)
    text = "You play. " * 200
    log.documents[index]["prompt"][0]["digest"] = hash_text(text)
    time = log.documents[index]["time"]
    log.documents.insert(index, {"time": time, "kind": "text", "digest": hash_text(text), "text": text})
    return index + 1


@forgery("prompt[0].digest")
def _a_prompt_names_a_text_that_is_nowhere(log: Forgery) -> int:
    index = log.find("request", part=1, seat=1, attempt=1)
    log.documents[index]["prompt"][0]["digest"] = "f" * 64
    return index


@forgery("prompt[1].text")
def _two_seats_prompts_change_places(log: Forgery) -> int:
    one = log.get("request", part=2, seat=0, attempt=1)
    other = log.get("request", part=2, seat=1, attempt=1)
    one["prompt"], other["prompt"] = other["prompt"], one["prompt"]
    return log.find("request", part=2, seat=0, attempt=1)


@forgery("prompt[3].text")
def _a_second_question_hides_the_error(log: Forgery) -> int:
    index = log.find("request", part=1, seat=0, attempt=2)
    log.documents[index]["prompt"][3]["text"] = "Try again."
    return index


@forgery("prompt[2].text")
def _a_second_question_quotes_another_reply(log: Forgery) -> int:
    index = log.find("request", part=1, seat=0, attempt=2)
    log.documents[index]["prompt"][2]["text"] = '{"script": []}'
    return index


@forgery("prompt[1].text")
def _another_strategy_stands_in_the_record(log: Forgery) -> int:
    strategy = log.start["seats"][0]["parameters"]["prompts"]["strategy"]
    strategy["text"] += "\nNever bomb."
    strategy["digest"] = hash_text(strategy["text"])
    log.renew_run_digest()
    return log.find("request", part=1, seat=0, attempt=1)


@forgery("seats[0].parameters.prompts.strategy.digest")
def _a_strategy_has_anothers_digest(log: Forgery) -> int:
    prompts = [log.start["seats"][seat]["parameters"]["prompts"]["strategy"] for seat in (0, 1)]
    prompts[0]["digest"] = prompts[1]["digest"]
    log.renew_run_digest()
    return 0


@forgery("seats[1].strategy")
def _a_strategy_is_renamed(log: Forgery) -> int:
    log.start["seats"][1]["strategy"] = "plan"
    log.renew_run_digest()
    return 0


@forgery("prompt[1].text")
def _a_template_gives_one_seat_more(log: Forgery) -> int:
    text = next(d["text"] for d in log.documents if d["kind"] == "text" and "# Your turn" in d["text"])
    log.replace_text(text, text + "\n{% if seen.warrior_id == 1 %}Rivals walk east.{% endif %}")
    log.renew_run_digest()
    return log.find("request", part=1, seat=0, attempt=1)


@forgery("seats[0].parameters.prompts.system")
def _the_template_of_the_system_message_is_another(log: Forgery) -> int:
    text = next(d["text"] for d in log.documents if d["kind"] == "text" and "{% include" in d["text"])
    log.replace_text(text, text + "\nOne more rule.")
    log.renew_run_digest()
    return 0


@forgery("seats[0].parameters.prompts.templates")
def _a_template_is_left_out(log: Forgery) -> int:
    text = next(d for d in log.documents if d["kind"] == "text" and "# Your turn" in d["text"])
    log.documents.remove(text)
    return 0


@forgery("seats[0].parameters.prompts")
def _a_template_loops_for_ever(log: Forgery) -> int:
    text = next(d["text"] for d in log.documents if d["kind"] == "text" and "# Your turn" in d["text"])
    long = "x" * 20_000
    loop = f"{{% for a in '{long}' %}}{{% for b in '{long}' %}}{{% endfor %}}{{% endfor %}}"
    log.replace_text(text, text + loop)
    log.renew_run_digest()
    return 0


@forgery("seats[2].parameters.prompts")
def _a_seat_does_not_say_what_it_was_asked_with(log: Forgery) -> int:
    del log.start["seats"][2]["parameters"]["prompts"]
    log.renew_run_digest()
    return 0


# Calls.


@forgery("call_number")
def _a_failed_call_is_left_out(log: Forgery) -> int:
    log.remove("call", part=1, seat=0, attempt=1, call_number=1)
    return log.find("call", part=1, seat=0, attempt=1)


@forgery("attempt")
def _the_call_that_brought_a_reply_is_left_out(log: Forgery) -> int:
    log.remove("call", part=1, seat=1, attempt=1)
    return log.find("reply", part=1, seat=1, attempt=1)


@forgery("attempt")
def _every_call_is_left_out(log: Forgery) -> int:
    log.documents = [document for document in log.documents if document["kind"] != "call"]
    return log.find("reply")


@forgery("attempt")
def _a_call_is_doubled(log: Forgery) -> int:
    index = log.find("call", part=1, seat=1, attempt=1)
    log.documents.insert(index, log.documents[index])
    return index + 1


@forgery("call_number")
def _a_failed_call_is_doubled(log: Forgery) -> int:
    index = log.find("call", part=1, seat=0, attempt=1, call_number=1)
    log.documents.insert(index, log.documents[index])
    return index + 1


@forgery("call_number")
def _a_call_number_is_used_twice(log: Forgery) -> int:
    index = log.find("call", part=1, seat=0, attempt=1, call_number=2)
    log.documents[index]["call_number"] = 1
    return index


@forgery("attempt")
def _a_call_stands_behind_its_reply(log: Forgery) -> int:
    index = log.find("call", part=1, seat=1, attempt=1)
    log.documents[index : index + 2] = log.documents[index + 1], log.documents[index]
    return index


@forgery("tokens")
def _tokens_and_costs_are_rewritten_together(log: Forgery) -> int:
    index = log.find("call", part=1, seat=1, attempt=1)
    log.documents[index] |= {"tokens": {"input": 1, "output": 1}, "cost_microdollars": 12}
    return index


@forgery("tokens")
def _tokens_are_hidden_where_usage_is(log: Forgery) -> int:
    index = log.find("call", part=1, seat=2, attempt=1)
    log.documents[index]["usage"] = None
    return index


@forgery("cost_microdollars")
def _a_cost_is_lowered(log: Forgery) -> int:
    index = log.find("call", part=1, seat=1, attempt=1)
    log.documents[index]["cost_microdollars"] = 1
    return index


@forgery("cost_microdollars")
def _a_cost_is_left_out(log: Forgery) -> int:
    index = log.find("call", part=1, seat=1, attempt=1)
    log.documents[index]["cost_microdollars"] = None
    return index


@forgery("cost_microdollars")
def _a_price_is_lowered(log: Forgery) -> int:
    log.start["seats"][1]["metering"]["price"]["rates"]["output"] = 1
    return log.find("call", part=1, seat=1, attempt=1)


@forgery("price_table")
def _a_price_table_is_renamed(log: Forgery) -> int:
    index = log.find("call", part=1, seat=1, attempt=1)
    log.documents[index]["price_table"] = "another, 2026-12-01"
    return index


@forgery("seats[1].metering")
def _a_seat_is_not_metered(log: Forgery) -> int:
    log.start["seats"][1]["metering"] = None
    return 0


@forgery("http_status")
def _a_valid_reply_comes_with_status_500(log: Forgery) -> int:
    index = log.find("call", part=1, seat=1, attempt=1)
    log.documents[index]["http_status"] = 500
    return index


@forgery("http_status")
def _a_valid_reply_comes_without_a_status(log: Forgery) -> int:
    index = log.find("call", part=1, seat=1, attempt=1)
    log.documents[index]["http_status"] = None
    return index


@forgery("attempt")
def _a_valid_reply_comes_from_a_failed_call(log: Forgery) -> int:
    index = log.find("call", part=1, seat=1, attempt=1)
    log.documents[index]["error"] = "transport"
    return index + 1


@forgery("provider")
def _a_call_goes_to_another_provider(log: Forgery) -> int:
    index = log.find("call", part=2, seat=1, attempt=1)
    log.documents[index]["provider"] = "anthropic"
    return index


@forgery("model")
def _a_call_goes_to_another_model(log: Forgery) -> int:
    index = log.find("call", part=2, seat=1, attempt=1)
    log.documents[index]["model"] = "some-larger-model"
    return index


@forgery("first_byte_milliseconds")
def _the_first_byte_comes_after_the_last(log: Forgery) -> int:
    index = log.find("call", part=2, seat=1, attempt=1)
    log.documents[index]["first_byte_milliseconds"] = 10**9
    return index


@forgery("total_milliseconds")
def _a_call_takes_less_than_no_time(log: Forgery) -> int:
    index = log.find("call", part=2, seat=1, attempt=1)
    log.documents[index]["total_milliseconds"] = -1
    return index


@forgery("(budget of the run)")
def _the_budget_was_less_than_what_was_spent(log: Forgery) -> int:
    log.start["limits"]["budget"]["run"]["microdollars"] = 100
    return log.find("call")


@forgery("(budget of the strategy)")
def _a_strategy_had_no_calls_left(log: Forgery) -> int:
    log.start["limits"]["budget"]["strategy"] = {"calls": 2}
    return min(log.find("call", 3, seat=0), log.find("call", 3, seat=2))


@forgery("(budget of the episode)")
def _a_budget_is_lowered_on_the_way(log: Forgery) -> int:
    index = log.find("request", part=2)
    budget = {"run": {}, "episode": {"tokens": 1}, "strategy": {}}
    log.documents.insert(index, {"time": log.start["time"], "kind": "budget", "budget": budget})
    log.documents[index]["time"] = log.documents[index + 1]["time"]
    return log.find("call", part=2)


# Replies and judgements.


@forgery("origin")
def _a_judgement_is_left_out(log: Forgery) -> int:
    log.remove("judged", part=1, seat=2)
    return log.find("submit", round=1, seat=0)


@forgery("attempt")
def _every_judgement_of_a_round_is_left_out(log: Forgery) -> int:
    log.documents = [d for d in log.documents if not (d["kind"] == "judged" and d["part"] == 2)]
    return log.find("request", part=2, attempt=2)


@forgery("attempt")
def _a_judgement_is_doubled(log: Forgery) -> int:
    index = log.find("judged", part=1, seat=2)
    log.documents.insert(index, log.documents[index])
    return index + 1


@forgery("outcome")
def _a_judgement_is_kinder(log: Forgery) -> int:
    index = log.find("judged", part=1, seat=0, attempt=1)
    log.documents[index] |= {"outcome": "valid"}
    return index


@forgery("reason")
def _a_judgement_has_another_reason(log: Forgery) -> int:
    index = log.find("judged", part=1, seat=0, attempt=1)
    log.documents[index]["reason"] = "nonsense"
    return index


@forgery("outcome")
def _a_reply_with_a_text_was_refused(log: Forgery) -> int:
    index = log.find("reply", part=1, seat=1, attempt=1)
    log.documents[index]["outcome"] = "refused"
    return index


@forgery("outcome")
def _a_reply_at_its_limit_was_whole(log: Forgery) -> int:
    log.get("reply", part=2, seat=2, attempt=1).update(outcome="valid", failure="")
    return log.find("judged", part=2, seat=2, attempt=1)


@forgery("outcome")
def _a_refusal_was_valid(log: Forgery) -> int:
    index = log.find("reply", part=1, seat=2, attempt=1)
    log.documents[index]["outcome"] = "valid"
    return index


@forgery("attempt")
def _a_reply_is_doubled(log: Forgery) -> int:
    index = log.find("reply", part=1, seat=1, attempt=1)
    log.documents.insert(index, log.documents[index])
    return index + 1


@forgery("latency_milliseconds")
def _a_reply_comes_before_it_was_asked_for(log: Forgery) -> int:
    index = log.find("reply", part=1, seat=1, attempt=1)
    log.documents[index]["latency_milliseconds"] = -5
    return index


@forgery("script[2]")
def _another_script_was_replied(log: Forgery) -> int:
    reply = log.get("reply", part=1, seat=0, attempt=2)
    answer = json.loads(reply["text"])
    answer["script"][-1] = "  move(0, 1)"
    reply["text"] = json.dumps(answer)
    return log.find("submit", round=1, seat=0)


@forgery("origin")
def _a_second_try_is_left_out(log: Forgery) -> int:
    for kind in ("request", "call", "reply", "judged"):
        log.remove(kind, part=1, seat=0, attempt=2)
    return log.find("submit", round=1, seat=0)


@forgery("origin")
def _a_seat_was_never_asked(log: Forgery) -> int:
    log.documents = [d for d in log.documents if not (d.get("part") == 1 and d.get("seat") == 0)]
    return log.find("submit", round=1, seat=0)


@forgery("attempt")
def _a_seat_is_asked_again_after_a_reply_that_was_taken(log: Forgery) -> int:
    index = log.find("judged", part=2, seat=0, attempt=1) + 1
    log.documents.insert(index, log.get("request", part=2, seat=0, attempt=1) | {"attempt": 2})
    log.documents[index]["time"] = log.documents[index - 1]["time"]
    return index


@forgery("seat")
def _a_built_in_was_asked(log: Forgery) -> int:
    index = log.find("request", part=1, seat=0, attempt=1)
    log.documents.insert(index, log.documents[index] | {"seat": 3})
    return index


@forgery("seat")
def _a_seat_that_is_not_there_was_asked(log: Forgery) -> int:
    index = log.find("request", part=1, seat=0, attempt=1)
    log.documents.insert(index, log.documents[index] | {"seat": 7})
    return index


@forgery("attempt")
def _a_round_that_is_not_played_was_asked_for(log: Forgery) -> int:
    index = log.find("request", part=2, seat=0, attempt=1)
    log.documents.insert(index, log.documents[index] | {"part": 9})
    return index


@forgery("seq")
def _a_seat_answers_with_the_battle_known(log: Forgery) -> int:
    keys = ("request", "call", "reply", "judged")
    moved = [d for d in log.documents if d["kind"] in keys and d["part"] == 1 and d["seat"] == 2]
    log.documents = [d for d in log.documents if not any(d is other for other in moved)]
    index = log.find("battle", round=1) + 1
    time = log.documents[index - 1]["time"]
    log.documents[index:index] = [document | {"time": time} for document in moved]
    return index


@forgery("failure")
def _a_seat_is_told_more_than_that_its_reply_was_cut(log: Forgery) -> int:
    index = next(i for i, each in enumerate(log.documents) if each.get("outcome") == "truncated")
    log.documents[index]["failure"] += ". Your rival bombs at tick 9"
    return index


@forgery("failure", "void")
def _a_provider_was_tried_more_often(log: Forgery) -> int:
    reply, judged = (log.get(kind, part=2, seat=0) for kind in ("reply", "judged"))
    reply["failure"] = judged["reason"] = reply["failure"].replace("2 calls", "9 calls")
    return log.find("reply", part=2, seat=0)


@forgery("outcome", "void")
def _a_provider_that_failed_turned_calls_away(log: Forgery) -> int:
    log.get("judged", part=2, seat=0)["outcome"] = "throttled"
    index = log.find("reply", part=2, seat=0)
    log.documents[index]["outcome"] = "throttled"
    return index


@forgery("outcome", "void")
def _a_seat_was_down_though_its_call_succeeded(log: Forgery) -> int:
    index = log.find("call", 2, part=2, seat=0)
    log.documents[index] |= {"error": "", "http_status": 200}
    return log.find("reply", part=2, seat=0)


# The first line.


@forgery("seats[1].policy")
def _a_policy_is_renamed(log: Forgery) -> int:
    log.start["seats"][1]["policy"] = "openai:some-larger-model"
    log.renew_run_digest()
    return 0


@forgery("model")
def _a_model_is_renamed_with_the_digest_of_the_run(log: Forgery) -> int:
    seat = log.start["seats"][1]
    seat["policy"], seat["parameters"]["model"] = "openai:some-larger-model", "some-larger-model"
    log.renew_run_digest()
    return log.find("call", seat=1)


@forgery("run.digest")
def _a_run_is_another(log: Forgery) -> int:
    log.start["run"]["digest"] = "0" * 64
    return 0


@forgery("run.episode_number")
def _an_episode_is_none_of_its_run(log: Forgery) -> int:
    log.start["run"] |= {"episode_number": 2, "episode_count": 1}
    log.renew_run_digest()
    return 0


@forgery("seats[3].digest")
def _a_built_in_has_a_digest(log: Forgery) -> int:
    log.start["seats"][3]["digest"] = hash_text("while true:\n  wait()")
    log.renew_run_digest()
    return 0


@forgery("seats[2].alias")
def _an_alias_is_another(log: Forgery) -> int:
    log.start["seats"][2]["alias"] = "Zoe"
    return 0


# Times.


@forgery("time")
def _time_runs_backwards(log: Forgery) -> int:
    index = log.find("battle", round=1)
    log.documents[index]["time"] = "2026-11-01T00:00:00.000000Z"
    return index


@forgery("time")
def _the_end_lies_in_the_future(log: Forgery) -> int:
    index = log.find("end")
    log.documents[index]["time"] = "2126-01-01T00:00:00.000000Z"
    return index


# The other game.


@forgery("say", "snake-royale")
def _a_snake_says_something_else(log: Forgery) -> int:
    index = log.find("directive", turn=1, seat=0)
    log.documents[index]["say"] = "bye"
    return index


@forgery("prompt[1].text", "snake-royale")
def _a_snake_is_told_a_rivals_notes(log: Forgery) -> int:
    index = log.find("request", part=2, seat=1, attempt=1)
    log.documents[index]["prompt"][1]["text"] += "\nBolt's notes: north"
    return index


@forgery("repairs", "snake-royale")
def _a_repair_is_hidden(log: Forgery) -> int:
    index = log.find("directive", turn=2, seat=0)
    log.documents[index]["repairs"] = [] if log.documents[index]["repairs"] else ["guessed"]
    return index


def test_there_are_enough_forgeries() -> None:
    assert len({name for _, name, _, _ in FORGERIES}) == len(FORGERIES) >= 60


def test_an_episode_with_a_withheld_reply_is_intact(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "a-key-that-a-server-repeats")
    log = play_void(tmp_path / "log.jsonl", answering("you sent a-key-that-a-server-repeats"))
    assert "server-repeats" not in log.read_text(encoding="utf-8")
    assert '"outcome":"withheld"' in log.read_text(encoding="utf-8")
    assert audit_log(log).status is AuditStatus.INTACT


@pytest.mark.parametrize("game", EPISODES)
def test_what_was_played_is_intact(played: dict[str, Path], game: str, tmp_path: Path) -> None:
    report = audit_log(played[game])
    assert (report.status, report.message, report.notes) == (AuditStatus.INTACT, "", ())
    rewritten = Forgery(played[game]).write(tmp_path / "log.jsonl")
    assert rewritten.read_bytes() == played[game].read_bytes()


@pytest.mark.parametrize(
    ("game", "field", "change"),
    [(game, field, change) for game, _, field, change in FORGERIES],
    ids=[name for _, name, _, _ in FORGERIES],
)
def test_a_forgery_is_found_in_its_place(
    played: dict[str, Path], tmp_path: Path, game: str, field: str, change: Change
) -> None:
    log = Forgery(played[game])
    index = change(log)
    report = audit_log(log.write(tmp_path / "log.jsonl"))
    assert report.status is AuditStatus.RESULT_DIFFERS, report.message
    assert report.finding is not None
    assert (report.finding.sequence, report.finding.field) == (index + 1, field), report.message


class LateClock:
    """A clock of whoever audits."""

    def __init__(self, now: datetime) -> None:
        self._now = now

    def now(self) -> datetime:
        return self._now

    def monotonic(self) -> float:
        return 0.0


def test_what_lies_in_the_future_depends_on_the_auditors_clock(
    played: dict[str, Path], tmp_path: Path
) -> None:
    log = Forgery(played["grid-wars"])
    log.documents[-1]["time"] = "2126-01-01T00:00:00.000000Z"
    path = log.write(tmp_path / "log.jsonl")
    for now, status in (
        (datetime(2125, 12, 30, tzinfo=UTC), AuditStatus.RESULT_DIFFERS),
        (datetime(2125, 12, 31, 1, tzinfo=UTC), AuditStatus.INTACT),
    ):
        assert audit_log(path, clock=LateClock(now)).status is status


@pytest.mark.parametrize("game", EPISODES)
def test_a_log_cut_anywhere_is_intact(played: dict[str, Path], game: str, tmp_path: Path) -> None:
    lines = played[game].read_bytes().splitlines(keepends=True)
    for count in range(1, len(lines), 3):
        path = tmp_path / "log.jsonl"
        path.write_bytes(b"".join(lines[:count]))
        report = audit_log(path)
        assert report.status is AuditStatus.INTACT, (count, report.message)
