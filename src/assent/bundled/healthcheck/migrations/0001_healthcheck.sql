CREATE SCHEMA healthcheck;

-- What a check is has a version; how it stands changes with every run, and does not count in it.
CREATE TABLE healthcheck.checks (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    system_ids uuid[] NOT NULL,
    strategy jsonb NOT NULL,
    collectors jsonb NOT NULL,
    assertions jsonb NOT NULL,
    interval_seconds integer NOT NULL CHECK (interval_seconds >= 5),
    timeout_ms integer NOT NULL,
    egress text[] NOT NULL,
    reaches text[] NOT NULL,
    enabled boolean NOT NULL,
    status text NOT NULL DEFAULT 'unknown'
        CHECK (status IN ('unknown', 'up', 'degraded', 'down')),
    status_since timestamptz,
    reason text NOT NULL DEFAULT '',
    last_due_at timestamptz,
    last_run_at timestamptz,
    next_run_at timestamptz NOT NULL,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (tenant_id, id),
    FOREIGN KEY (tenant_id, workspace_id) REFERENCES workspaces (tenant_id, id)
);
CREATE UNIQUE INDEX checks_name ON healthcheck.checks (tenant_id, workspace_id, lower(name));
CREATE INDEX checks_due ON healthcheck.checks (tenant_id, next_run_at) WHERE enabled;
CREATE INDEX checks_systems ON healthcheck.checks USING gin (system_ids);

-- One due time has one run, whoever made it.
CREATE TABLE healthcheck.runs (
    tenant_id uuid NOT NULL,
    check_id uuid NOT NULL,
    due_at timestamptz NOT NULL,
    started_at timestamptz NOT NULL,
    duration_ms double precision NOT NULL,
    status text NOT NULL CHECK (status IN ('unknown', 'up', 'degraded', 'down')),
    answered boolean NOT NULL,
    reason text NOT NULL,
    result jsonb,
    failed jsonb NOT NULL,
    PRIMARY KEY (check_id, due_at),
    FOREIGN KEY (tenant_id, check_id) REFERENCES healthcheck.checks (tenant_id, id)
        ON DELETE CASCADE
);
CREATE INDEX runs_old ON healthcheck.runs (tenant_id, due_at);

-- `buckets` counts runs with an answer by how long they took; see latency.py.
CREATE TABLE healthcheck.hours (
    tenant_id uuid NOT NULL,
    check_id uuid NOT NULL,
    hour timestamptz NOT NULL,
    up integer NOT NULL DEFAULT 0,
    degraded integer NOT NULL DEFAULT 0,
    down integer NOT NULL DEFAULT 0,
    unknown integer NOT NULL DEFAULT 0,
    buckets jsonb NOT NULL DEFAULT '{}',
    PRIMARY KEY (check_id, hour),
    FOREIGN KEY (tenant_id, check_id) REFERENCES healthcheck.checks (tenant_id, id)
        ON DELETE CASCADE
);
CREATE INDEX hours_old ON healthcheck.hours (tenant_id, hour);
