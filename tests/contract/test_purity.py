"""A module that says "Pure." in its docstring does no I/O, has no clock and rolls no dice."""

import ast

import pytest

from tests.contract.source import Module, find_modules, read_modules

DECLARED = (
    "actions/approval.py",
    "actions/approvals/rule.py",
    "actions/proposal.py",
    "agents/agent.py",
    "agents/notes.py",
    "agents/profile.py",
    "agents/prompt.py",
    "api/cookies.py",
    "api/procedure_schema.py",
    "api/turn_body.py",
    "audit/entry.py",
    "audit/diagnose.py",
    "audit/finding.py",
    "audit/head.py",
    "audit/lines.py",
    "audit/link.py",
    "audit/listing.py",
    "audit/report.py",
    "audit/table.py",
    "audit/verify.py",
    "bench/figure.py",
    "bench/report.py",
    "bench/script.py",
    "bench/size.py",
    "bundled/catalog/values.py",
    "bundled/healthcheck/scripts/script.py",
    "bundled/healthcheck/secret.py",
    "bundled/incident/values.py",
    "bundled/maintenance/values.py",
    "bundled/timeline/notification.py",
    "bundled/timeline/values.py",
    "bundled/healthcheck/assertion.py",
    "bundled/healthcheck/capability.py",
    "bundled/healthcheck/figures.py",
    "bundled/healthcheck/given.py",
    "bundled/healthcheck/lateness.py",
    "bundled/healthcheck/latency.py",
    "bundled/healthcheck/origin.py",
    "bundled/healthcheck/outcome.py",
    "bundled/healthcheck/validate.py",
    "bundled/healthcheck/values.py",
    "conversations/conversation.py",
    "conversations/file.py",
    "conversations/image.py",
    "conversations/parts.py",
    "conversations/question.py",
    "conversations/rating.py",
    "conversations/sniff.py",
    "conversations/titles.py",
    "conversations/user_message.py",
    "documents.py",
    "errors.py",
    "history/estimate.py",
    "history/explain.py",
    "history/fit.py",
    "history/hygiene.py",
    "history/kept.py",
    "history/replay.py",
    "history/summary.py",
    "history/turns.py",
    "identity/application.py",
    "identity/oauth/connection.py",
    "identity/oauth/family.py",
    "identity/oauth/program.py",
    "identity/oauth/redirect.py",
    "identity/oauth/request.py",
    "identity/oauth/scopes.py",
    "identity/principal.py",
    "identity/rules.py",
    "identity/user.py",
    "mcp_server/message.py",
    "mcp_server/origin.py",
    "models/cap.py",
    "models/estimate.py",
    "models/integration.py",
    "models/model.py",
    "net/addresses.py",
    "net/destination.py",
    "net/policy.py",
    "net/record.py",
    "net/url.py",
    "plugins/declare.py",
    "plugins/document.py",
    "plugins/extension.py",
    "runs/events.py",
    "runs/frames.py",
    "runs/repair.py",
    "runs/run.py",
    "runs/step.py",
    "runs/transcript.py",
    "telemetry/endpoints.py",
    "telemetry/names.py",
    "tools/artifact.py",
    "tools/clamp.py",
    "tools/dates.py",
    "tools/destination.py",
    "tools/diff.py",
    "tools/duplicates.py",
    "tools/gate.py",
    "tools/json_schema.py",
    "tools/json_text.py",
    "tools/json_value.py",
    "tools/names.py",
    "tools/registry.py",
    "tools/schema.py",
    "tools/secret_field.py",
    "tools/taint.py",
    "tools/tool.py",
    "value.py",
    "vault/keys.py",
    "vault/scrub/block.py",
    "vault/scrub/linear.py",
    "vault/scrub/names.py",
    "vault/scrub/rule.py",
    "vault/scrub/rules.py",
    "vault/scrub/scrubber.py",
    "vault/scrub/stream.py",
    "vault/scrub/values.py",
    "work/ending.py",
    "work/lease.py",
)
"""These must say it; others may."""

OUTSIDE = {
    "base64",
    "binascii",
    "collections",
    "collections.abc",
    "csv",
    "dataclasses",
    "datetime",
    "decimal",
    "difflib",
    "enum",
    "functools",
    "hashlib",
    "hmac",
    "idna",
    "inspect",
    "ipaddress",
    "itertools",
    "json",
    "msgspec",
    "math",
    "mcp_types",
    "mcp_types.version",
    "pydantic",
    "pydantic.alias_generators",
    "html",
    "re",
    "re2",
    "shlex",
    "starlette.types",
    "string",
    "struct",
    "typing",
    "unicodedata",
    "urllib.parse",
    "uuid",
    "yaml",
}
"""What a pure module may import from elsewhere: nothing that reads, waits, writes or guesses."""

VALUES = {
    "assent.bundled.timeline.kind": {"Kind", "S"},
    "assent.plugins.procedure": {
        "Access",
        "Handler",
        "In",
        "Method",
        "Out",
        "PATH_FIELD",
        "Procedure",
        "Route",
    },
    "io": {"StringIO"},
}
"""Values and types of modules that are not pure as a whole."""

IMPURE_CALLS = {
    "open",
    "print",
    "input",
    "exec",
    "eval",
    "now",
    "today",
    "utcnow",
    "uuid1",
    "uuid4",
}


def is_pure(module: Module) -> bool:
    words = module.docstring.replace(":", ".").split()
    return "Pure." in words


PURE = [module for module in read_modules().values() if is_pure(module)]


@pytest.mark.parametrize("path", DECLARED)
def test_says_that_it_is_pure(path: str) -> None:
    (module,) = [
        one for one in find_modules(path) if one.path.as_posix().endswith(f"assent/{path}")
    ]
    assert is_pure(module)


@pytest.mark.parametrize("module", PURE, ids=lambda module: module.name)
def test_never_waits(module: Module) -> None:
    waiting = [
        node.lineno
        for node in ast.walk(module.tree)
        if isinstance(node, ast.AsyncFunctionDef | ast.Await | ast.AsyncFor | ast.AsyncWith)
    ]
    assert waiting == []


@pytest.mark.parametrize("module", PURE, ids=lambda module: module.name)
def test_calls_nothing_that_reads_or_guesses(module: Module) -> None:
    calls = {
        ast.unparse(node.func).rpartition(".")[2]
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call)
    }
    assert calls & IMPURE_CALLS == set()


@pytest.mark.parametrize("module", PURE, ids=lambda module: module.name)
def test_imports_only_what_is_pure(module: Module) -> None:
    pure = {one.name for one in PURE}
    impure = [
        f"{one.module} {one.name or ''}".strip()
        for one in module.imports()
        if one.module not in OUTSIDE | pure
        and find_origin(one.module, one.name) not in pure
        and one.name not in VALUES.get(one.module, set())
    ]
    assert impure == []


def find_origin(module: str, name: str | None) -> str:
    """Where `assent.plugins.api`, or the face of a plugin, has a name from."""
    if module.startswith("assent.") and module.endswith(".api"):
        for one in read_modules()[module].imports():
            if one.name == name:
                return one.module
    return module
