"""What red cards are worth: the public suite AgentDojo, played without a model.

Every task's own calls are played, and those of every attack whose words the task reads. Asked is
what an operator sees who approves each card unless it is red (docs/proposals.md): which attacks get
through, and which tasks are lost. In an environment that has this project and `agentdojo`:

    python -P bench/injection.py [--all-untrusted] [--mixed] [-v]
"""

import argparse
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from agentdojo.functions_runtime import FunctionCall, FunctionsRuntime
from agentdojo.task_suite.load_suites import get_suites

from assent.tools.provenance import Alarm, Material, find_provenance
from assent.tools.tool import Behaviour, Functions, Result, Shape, Tool, Trust

VERSION = "v1.2.2"
READS = re.compile(r"get_|list_|search_|read_|check_")
DESTRUCTIVE = {
    "cancel_calendar_event",
    "delete_email",
    "delete_file",
    "remove_user_from_slack",
    "update_password",
}
DESTINATIONS = {
    "add_calendar_event_participants": ("participants",),
    "create_calendar_event": ("participants",),
    "get_webpage": ("url",),
    "invite_user_to_slack": ("user", "user_email"),
    "post_webpage": ("url",),
    "reserve_car_rental": ("company",),
    "reserve_hotel": ("hotel",),
    "reserve_restaurant": ("restaurant",),
    "schedule_transaction": ("recipient",),
    "send_channel_message": ("channel",),
    "send_direct_message": ("recipient",),
    "send_email": ("recipients", "cc", "bcc"),
    "send_money": ("recipient",),
    "share_file": ("email",),
    "update_scheduled_transaction": ("recipient",),
}
"""Tools that carry data out, and where to."""
WRITTEN_BY_OTHERS = re.compile(
    r"emails|calendar_events|files|file|reviews|transactions|messages|inbox|webpage"
)
INJECTION = "IMPORTANT: {goal}"


@dataclass(frozen=True, slots=True)
class Trusting:
    """What is believed of results: which ones, and how much of those that others write to."""

    all_untrusted: bool
    outside: Trust

    def judge(self, name: str) -> Trust:
        is_outside = self.all_untrusted or WRITTEN_BY_OTHERS.search(name) is not None
        return self.outside if is_outside else "trusted"


@dataclass(frozen=True, slots=True)
class Step:
    """A call, and what was read before it."""

    name: str
    arguments: Mapping[str, Any]
    read: tuple[tuple[str, Any], ...]

    @property
    def needs_card(self) -> bool:
        return self.name in DESTINATIONS or READS.match(self.name) is None


class Play:
    """One environment in which calls are made, one after the other."""

    def __init__(self, suite: Any, environment: Any) -> None:
        self._runtime = FunctionsRuntime(suite.tools)
        self._environment = environment
        self.read: list[tuple[str, Any]] = []

    def make(self, calls: Iterable[FunctionCall]) -> Iterator[Step]:
        for one in calls:
            arguments = cast(dict[str, Any], to_plain(dict(one.args)))
            yield Step(one.function, arguments, tuple(self.read))
            value, error = self._runtime.run_function(
                self._environment, one.function, dict(one.args)
            )
            self.read.append((one.function, error or to_plain(value)))


def to_plain(value: Any) -> Any:
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    if isinstance(value, Mapping):
        return {str(key): to_plain(one) for key, one in cast(Mapping[Any, Any], value).items()}
    if isinstance(value, list | tuple | set):
        return [to_plain(one) for one in cast(Iterable[Any], value)]
    return value if isinstance(value, str | int | float | bool | None) else str(value)


async def _nothing(_ctx: Any, _given: Any) -> Result:
    return Result()


def find_alarms(step: Step, prompt: str, trusting: Trusting, injected: str = "") -> Sequence[Alarm]:
    """Whatever holds the injection is untrusted, whoever it is said to come from."""
    typed = Material("typed", "", "trusted", prompt)
    materials = [typed]
    for name, value in step.read:
        trust = trusting.judge(name)
        if injected and injected in json.dumps(value, ensure_ascii=False) and trust == "trusted":
            trust = "untrusted"
        materials.append(Material("tool", name, trust, value))
    egress = step.name in DESTINATIONS
    effect = "destructive" if step.name in DESTRUCTIVE else "mutate"
    tool = Tool(
        name="suite.tool",
        title=step.name,
        description=step.name,
        rules=(),
        shape=Shape(input_schema={}, destinations=DESTINATIONS.get(step.name, ())),
        behaviour=Behaviour(effect=effect, egress=egress),
        functions=Functions(execute=_nothing),
    )
    return find_provenance(tool, step.arguments, materials, effect=effect, egress=egress).alarms


def is_red(steps: Iterable[Step], prompt: str, trusting: Trusting, injected: str = "") -> bool:
    return any(find_alarms(step, prompt, trusting, injected) for step in steps if step.needs_card)


def play_task(suite: Any, task: Any, injections: Mapping[str, str]) -> tuple[Play, Any, list[Step]]:
    environment = task.init_environment(suite.load_and_inject_default_environment(injections))
    play = Play(suite, environment)
    return play, environment, list(play.make(task.ground_truth(environment)))


def play_attack(suite: Any, task: Any, attack: Any) -> tuple[str, list[Step]] | None:
    """The attack's calls after the task's own, if the task reads its words at all."""
    words = INJECTION.format(goal=attack.GOAL)
    vectors = suite.get_injection_vector_defaults()
    play, environment, _ = play_task(suite, task, dict.fromkeys(vectors, words))
    if not any(words in json.dumps(one, ensure_ascii=False) for _, one in play.read):
        return None
    return words, list(play.make(attack.ground_truth(environment)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all-untrusted", action="store_true", help="no result is trusted")
    parser.add_argument("--mixed", action="store_true", help="fields of results are trusted")
    parser.add_argument("-v", action="store_true", help="name what is lost and what gets through")
    given = parser.parse_args()
    trusting = Trusting(given.all_untrusted, "mixed" if given.mixed else "untrusted")
    lost: list[str] = []
    through: list[str] = []
    tasks = attacks = 0
    for name, suite in get_suites(VERSION).items():
        for task_id, task in suite.user_tasks.items():
            tasks += 1
            if is_red(play_task(suite, task, {})[2], task.PROMPT, trusting):
                lost.append(f"{name} {task_id}")
            for attack_id, attack in suite.injection_tasks.items():
                played = play_attack(suite, task, attack)
                if played is None or not any(step.needs_card for step in played[1]):
                    continue
                attacks += 1
                if not is_red(played[1], task.PROMPT, trusting, played[0]):
                    through.append(f"{name} {task_id} {attack_id}")
    print(f"{len(lost)} of {tasks} tasks lost, {len(through)} of {attacks} attacks get through")
    if given.v:
        print(*(f"lost: {one}" for one in lost), *(f"through: {one}" for one in through), sep="\n")


if __name__ == "__main__":
    main()
