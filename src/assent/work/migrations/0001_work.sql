-- The queue, the outbox and the ticks. The latter two only ever produce rows of the first.

CREATE TABLE work (
    id uuid PRIMARY KEY,
    -- Ids sort by the millisecond only; the order inside a lane has to be exact.
    position bigint GENERATED ALWAYS AS IDENTITY,
    -- NULL is the installation itself.
    tenant_id uuid,
    kind text NOT NULL,
    ordering_key text,
    -- Rows of one lane run one at a time and in the order of their positions.
    lane text GENERATED ALWAYS AS (coalesce(tenant_id::text, '') || '/' || ordering_key) STORED,
    payload jsonb NOT NULL,
    state text NOT NULL DEFAULT 'queued'
        CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
    priority integer NOT NULL DEFAULT 0,
    run_after timestamptz NOT NULL DEFAULT now(),
    lease_until timestamptz,
    owner uuid,
    attempt integer NOT NULL DEFAULT 0,
    max_attempts integer NOT NULL DEFAULT 5 CHECK (max_attempts > 0),
    cancel_requested_at timestamptz,
    error text,
    created_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    CHECK (state <> 'running' OR (owner IS NOT NULL AND lease_until IS NOT NULL)),
    CHECK ((finished_at IS NOT NULL) = (state IN ('done', 'failed', 'cancelled')))
) WITH (fillfactor = 80);

CREATE INDEX work_queued ON work (priority DESC, position) WHERE state = 'queued';
CREATE INDEX work_lane ON work (lane, position)
    WHERE lane IS NOT NULL AND state IN ('queued', 'running');
-- Not on lease_until: a heartbeat would then have to write the index too.
CREATE INDEX work_running ON work (position) WHERE state = 'running';
-- What a claim decided on a snapshot that was too old, this refuses.
CREATE UNIQUE INDEX work_one_running_per_lane ON work (lane) WHERE state = 'running';
CREATE INDEX work_finished ON work (finished_at) WHERE finished_at IS NOT NULL;

CREATE TABLE outbox (
    id uuid PRIMARY KEY,
    tenant_id uuid,
    topic text NOT NULL,
    payload jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    dispatched_at timestamptz
);

CREATE INDEX outbox_waiting ON outbox (id) WHERE dispatched_at IS NULL;
CREATE INDEX outbox_dispatched ON outbox (dispatched_at) WHERE dispatched_at IS NOT NULL;

CREATE TABLE ticks (
    schedule text NOT NULL,
    due_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (schedule, due_at)
);
