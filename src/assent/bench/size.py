"""How much is measured: enough for figures that hold, or just enough to see that it works. Pure."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """`seconds` is how long each load is kept up, `settle` how long is waited before it counts."""

    seconds: float
    settle: float
    streams: int
    idle_followers: tuple[int, ...]
    active_followers: int
    turn_rates: tuple[int, ...]
    events: int
    resumes: int
    lanes: int


FULL = Size(
    seconds=8,
    settle=2,
    streams=1000,
    idle_followers=(1000, 5000),
    active_followers=500,
    turn_rates=(10, 50, 100),
    events=2000,
    resumes=50,
    lanes=8,
)
QUICK = Size(
    seconds=1,
    settle=0.5,
    streams=20,
    idle_followers=(100,),
    active_followers=50,
    turn_rates=(5,),
    events=2000,
    resumes=5,
    lanes=4,
)
