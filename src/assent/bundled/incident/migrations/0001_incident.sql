CREATE SCHEMA incident;

CREATE TABLE incident.incidents (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    title text NOT NULL,
    description text NOT NULL,
    severity text NOT NULL CHECK (severity IN ('minor', 'major', 'critical')),
    status text NOT NULL
        CHECK (status IN ('investigating', 'identified', 'monitoring', 'resolved')),
    system_ids uuid[] NOT NULL,
    started_at timestamptz NOT NULL,
    resolved_at timestamptz,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CHECK ((status = 'resolved') = (resolved_at IS NOT NULL)),
    FOREIGN KEY (tenant_id, workspace_id) REFERENCES workspaces (tenant_id, id)
);
CREATE INDEX incidents_newest ON incident.incidents (tenant_id, started_at DESC, id DESC);
CREATE INDEX incidents_open ON incident.incidents (tenant_id, workspace_id)
    WHERE resolved_at IS NULL;
