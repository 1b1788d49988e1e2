-- One turn being worked on. Who works on it is in the lease of its piece of work.
CREATE TABLE runs (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    conversation_id uuid NOT NULL,
    work_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('turn', 'decision')),
    agent text NOT NULL,
    principal_id uuid NOT NULL,
    message_id uuid NOT NULL,
    status text NOT NULL DEFAULT 'queued' CHECK (status IN (
        'queued', 'running', 'completed', 'failed', 'cancelled', 'superseded')),
    attempt integer NOT NULL DEFAULT 0,
    steps integer NOT NULL DEFAULT 0,
    taint jsonb NOT NULL DEFAULT '[]',
    time_zone text,
    error jsonb,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    finished_at timestamptz,
    FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id)
        ON DELETE CASCADE
);
CREATE INDEX runs_of_conversation ON runs (tenant_id, conversation_id, id DESC);
CREATE UNIQUE INDEX runs_running ON runs (conversation_id, agent) WHERE status = 'running';

-- What a run has said, as it was sent: many events in a row, numbered without gaps per attempt.
CREATE TABLE run_events (
    run_id uuid NOT NULL REFERENCES runs ON DELETE CASCADE,
    tenant_id uuid NOT NULL,
    attempt integer NOT NULL,
    first_seq integer NOT NULL,
    last_seq integer NOT NULL,
    frames bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (run_id, attempt, first_seq)
);
