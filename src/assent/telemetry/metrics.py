"""What a process counts and times, under the names that `/metrics` shows. One object per process.

Labels have few values that the program itself knows: routes, kinds of work, names of tools. What
somebody could make up (a path, the name of a tool that does not exist) never becomes one.
`docs/observe.md` lists every name; a test compares the two. What is asked for at each scrape, such
as the queue's depth, is in `api/monitor.py`.
"""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector

from assent import __version__

SHORT = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
LONG = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320)


class Metrics:
    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        info = self._gauge("assent_info", "The version that runs.", "version")
        info.labels(__version__).set(1)
        self._add_requests()
        self._add_runs()
        self._add_models()
        self._add_tools()
        self._add_work()

    def _add_requests(self) -> None:
        self.requests = self._counter(
            "assent_http_requests", "Requests answered.", "method", "route", "status"
        )
        self.request_seconds = self._histogram(
            "assent_http_request_duration_seconds",
            "Time until the response ended; a stream ends with its turn.",
            SHORT,
            "method",
            "route",
            "status",
        )

    def _add_runs(self) -> None:
        self.runs = self._counter("assent_runs", "Turns that ended here.", "kind", "outcome")
        self.run_seconds = self._histogram(
            "assent_run_duration_seconds", "Time that a turn was worked on.", LONG, "kind"
        )
        self.run_wait_seconds = self._histogram(
            "assent_run_wait_seconds", "Time from a message to the begin of its turn.", SHORT
        )
        self.first_token_seconds = self._histogram(
            "assent_run_first_token_seconds",
            "Time from a message to the first words of the model.",
            LONG,
        )
        self.run_takeovers = self._counter(
            "assent_run_takeovers", "Turns that an earlier owner had left unfinished."
        )
        self.journal_events = self._counter("assent_journal_events", "Events that turns said.")
        self.journal_bytes = self._counter(
            "assent_journal_written_bytes", "Bytes of those events, as stored."
        )
        self.flush_seconds = self._histogram(
            "assent_journal_flush_duration_seconds",
            "Time to store what all turns of the process said since the last time.",
            SHORT,
        )

    def _add_models(self) -> None:
        self.model_calls = self._counter(
            "assent_model_calls", "Calls of model providers.", "provider", "purpose", "outcome"
        )
        self.model_seconds = self._histogram(
            "assent_model_call_duration_seconds",
            "Time until a model's answer ended.",
            LONG,
            "provider",
        )
        self.first_chunk_seconds = self._histogram(
            "assent_model_first_chunk_seconds",
            "Time until a model's answer began.",
            LONG,
            "provider",
        )
        self.model_tokens = self._counter(
            "assent_model_tokens", "Tokens that providers reported.", "provider", "kind"
        )
        self.model_retries = self._counter(
            "assent_model_retries", "Calls made again after one that did not begin.", "provider"
        )
        self.spend_refusals = self._counter(
            "assent_spend_refusals", "Model calls that a spend cap or the credits refused."
        )

    def _add_tools(self) -> None:
        self.tool_calls = self._counter(
            "assent_tool_calls", "Calls that came to the door.", "tool", "edge", "effect", "outcome"
        )
        self.tool_seconds = self._histogram(
            "assent_tool_call_duration_seconds", "Time that the door took.", SHORT, "tool"
        )
        self.budget_refusals = self._counter(
            "assent_tool_budget_refusals", "Tool calls over a principal's budget."
        )
        self.proposals = self._counter(
            "assent_proposals", "States that proposals came to.", "state"
        )
        self.decision_seconds = self._histogram(
            "assent_decision_duration_seconds",
            "Time from a person's decision to its outcome.",
            SHORT,
            "decision",
        )

    def _add_work(self) -> None:
        self.work_ended = self._counter(
            "assent_work_ended", "Background work that ended here.", "kind", "outcome"
        )
        self.work_seconds = self._histogram(
            "assent_work_duration_seconds", "Time that it took.", LONG, "kind"
        )
        self.work_wait_seconds = self._histogram(
            "assent_work_wait_seconds", "Time that it waited for its first try.", LONG, "kind"
        )
        self.work_repeats = self._counter(
            "assent_work_repeats", "Work begun again after a failure or a lost lease.", "kind"
        )

    def _counter(self, name: str, help_text: str, *labels: str) -> Counter:
        return Counter(name, help_text, labels, registry=self.registry)

    def _gauge(self, name: str, help_text: str, *labels: str) -> Gauge:
        return Gauge(name, help_text, labels, registry=self.registry)

    def _histogram(
        self, name: str, help_text: str, buckets: tuple[float, ...], *labels: str
    ) -> Histogram:
        return Histogram(name, help_text, labels, registry=self.registry, buckets=buckets)
