"""Who is told of which news, and that nothing is left of those who have gone."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import cast
from uuid import uuid4

from assent.work.announce import News
from assent.work.hearing import Hearing
from assent.work.listen import Listener


class Voice:
    """A listener that hears what the test says."""

    is_hearing = True
    say: Callable[[str], None]
    open: Callable[[], None]

    def attend(
        self, channels: Sequence[str], *, hear: Callable[[str], None], on_open: Callable[[], None]
    ) -> None:
        assert channels
        self.say, self.open = hear, on_open

    def hear(self) -> Hearing:
        return Hearing(cast(Listener, self))


def test_news_of_one_thing_wakes_those_who_wait_for_it() -> None:
    voice = Voice()
    hearing = voice.hear()
    tenant, one, other = uuid4(), uuid4(), uuid4()
    about = News(tenant, "proposal", one)
    with hearing.waiting_for(about) as first, hearing.waiting_for(about) as second:
        voice.say(News(tenant, "proposal", other).payload)
        voice.say(News(tenant, "conversation", one).payload)
        voice.say(News(uuid4(), "proposal", one).payload)
        assert not first.is_set()
        voice.say(about.payload)
        assert first.is_set()
        assert second.is_set()
        assert hearing.size == 2
    assert hearing.size == 0
    voice.say(about.payload)


def test_what_may_have_been_missed_wakes_everybody() -> None:
    voice = Voice()
    hearing = voice.hear()
    called: list[str] = []
    about = News(uuid4(), "proposal", uuid4())
    with hearing.attending(about, lambda: called.append("heard")):
        with hearing.waiting_for(about) as woken:
            voice.open()
            assert woken.is_set()
        assert called == []
        voice.say(about.payload)
        assert called == ["heard"]


def test_nobody_waits_once_it_is_closed() -> None:
    hearing = Hearing()
    about = News(uuid4(), "proposal", uuid4())
    with hearing.waiting_for(about) as before:
        hearing.close()
        assert before.is_set()
    with hearing.waiting_for(about) as after:
        assert after.is_set()
    assert (hearing.is_hearing, hearing.is_closed, hearing.size) == (False, True, 0)


def test_one_who_goes_while_news_is_told_does_not_disturb_the_others() -> None:
    voice = Voice()
    hearing = voice.hear()
    about = News(uuid4(), "proposal", uuid4())
    heard: list[int] = []
    leaving = ExitStack()
    leaving.enter_context(hearing.attending(about, leaving.close))
    with hearing.attending(about, lambda: heard.append(1)):
        voice.say(about.payload)
    assert (heard, hearing.size) == ([1], 0)
