"""The lock file pins everything the project asks for, and names no place to get it from."""

from __future__ import annotations

import re
import tomllib

from packaging.requirements import Requirement

from tests.project.installation import ROOT

LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")


def test_every_requirement_is_pinned_to_a_version_it_admits() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    requirements = [Requirement(text) for text in project["dependencies"]]
    extras = project["optional-dependencies"]
    assert set(extras) >= {"dev", "kernel", "tables"}
    requirements += [Requirement(text) for texts in extras.values() for text in texts]
    pins = dict(re.findall(r"^([a-z0-9-]+)==(\S+)", LOCK, flags=re.MULTILINE))
    assert len(requirements) > 10
    for requirement in requirements:
        assert requirement.name in pins, requirement.name
        assert requirement.specifier.contains(pins[requirement.name]), requirement


def test_lock_holds_only_pins_and_comments() -> None:
    lines = LOCK.splitlines()
    assert lines
    for line in lines:
        assert re.fullmatch(r"\s*#.*|[a-z0-9-]+==[0-9A-Za-z.]+( ; .*)?", line), line
    assert not re.search(r"https?:|file:|--(index|find|extra)-", LOCK.replace("--no-emit-index-url", ""))
