"""What is taken from a script's result, to be asserted."""

from assent.bundled.healthcheck.collectors.json_value import JsonConfig, JsonResult, take_value
from assent.bundled.healthcheck.declaration import COLLECTOR, plugin
from assent.bundled.healthcheck.scripts.strategy import ScriptResult


class ResultCollector:
    """What both languages have in common."""

    title = "Value in the result"
    Config = JsonConfig
    Result = JsonResult

    def collect(self, observed: ScriptResult, config: JsonConfig) -> JsonResult:
        return take_value(observed.result, config)


@plugin.contribute(COLLECTOR, "scriptValue")
class ScriptValueCollector(ResultCollector):
    """Take one value of what a Python script returned."""

    strategy = "script"


@plugin.contribute(COLLECTOR, "shellValue")
class ShellValueCollector(ResultCollector):
    """Take one value of the JSON in the last line that a shell script printed."""

    strategy = "shell"
