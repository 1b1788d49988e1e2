CREATE SCHEMA anomaly;

-- What was heard of checks, each event once, whatever the order.
CREATE TABLE anomaly.changes (
    tenant_id uuid NOT NULL,
    event_id text NOT NULL,
    check_id uuid NOT NULL,
    at timestamptz NOT NULL,
    status text NOT NULL,
    PRIMARY KEY (tenant_id, event_id)
);
CREATE INDEX changes_check ON anomaly.changes (tenant_id, check_id, at);

-- Checks and systems belong to other plugins: ids, and no references.
CREATE TABLE anomaly.anomalies (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    check_id uuid NOT NULL,
    check_name text NOT NULL,
    system_ids uuid[] NOT NULL,
    worst text NOT NULL CHECK (worst IN ('degraded', 'down')),
    opened_at timestamptz NOT NULL,
    closed_at timestamptz,
    acknowledged_by text,
    acknowledged_at timestamptz,
    note text NOT NULL DEFAULT '',
    version integer NOT NULL DEFAULT 1,
    FOREIGN KEY (tenant_id, workspace_id) REFERENCES workspaces (tenant_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX anomalies_open ON anomaly.anomalies (tenant_id, check_id) WHERE closed_at IS NULL;
CREATE INDEX anomalies_check ON anomaly.anomalies (tenant_id, check_id, opened_at);
CREATE INDEX anomalies_time ON anomaly.anomalies (tenant_id, opened_at DESC, id DESC);
