-- What a run was shown, and what one without an audience gave back.
ALTER TABLE runs ADD COLUMN phase text NOT NULL DEFAULT 'discovery'
    CHECK (phase IN ('discovery', 'build'));
ALTER TABLE runs ADD COLUMN output jsonb;
ALTER TABLE runs ADD COLUMN principal_kind text NOT NULL DEFAULT 'user'
    CHECK (principal_kind IN ('user', 'application'));
ALTER TABLE runs DROP CONSTRAINT runs_kind_check;
ALTER TABLE runs ADD CONSTRAINT runs_kind_check CHECK (kind IN ('turn', 'decision', 'headless'));
ALTER TABLE runs DROP CONSTRAINT runs_status_check;
ALTER TABLE runs ADD CONSTRAINT runs_status_check CHECK (status IN (
    'queued', 'running', 'waiting', 'completed', 'failed', 'cancelled', 'superseded'));

-- What a headless run was asked for. How it stands is in the newest run of its conversation: one
-- that had to wait for a decision goes on in another.
CREATE TABLE tasks (
    run_id uuid PRIMARY KEY REFERENCES runs ON DELETE CASCADE,
    tenant_id uuid NOT NULL,
    conversation_id uuid NOT NULL,
    owner_id uuid NOT NULL,
    principal_kind text NOT NULL,
    principal_id uuid NOT NULL,
    -- What the caller called it: the same start sent again is the same run.
    client_id text,
    output_schema jsonb,
    allowed jsonb NOT NULL DEFAULT '[]',
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (tenant_id, conversation_id),
    FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id)
        ON DELETE CASCADE
);
CREATE UNIQUE INDEX tasks_client ON tasks (tenant_id, principal_id, client_id)
    WHERE client_id IS NOT NULL;
CREATE INDEX tasks_of_owner ON tasks (tenant_id, owner_id, run_id DESC);
CREATE INDEX tasks_of_principal ON tasks (tenant_id, principal_id, run_id DESC);
