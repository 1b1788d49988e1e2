"""Servers run on uvloop, which starts processes by its own rules: there, too, scripts run."""

import json
import subprocess
import sys

from tests.contract.source import ROOT


def test_scripts_run_on_the_loop_of_servers() -> None:
    command = (sys.executable, "-m", "tests.sandbox.uvloop_process")
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "result": ["fine", 65534],
        "stdout": "said\n",
        "error": None,
        "late": True,
        "shell": "fine",
    }
