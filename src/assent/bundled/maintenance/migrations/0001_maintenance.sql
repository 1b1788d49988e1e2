CREATE SCHEMA maintenance;

CREATE TABLE maintenance.windows (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    title text NOT NULL,
    description text NOT NULL,
    system_ids uuid[] NOT NULL,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    closed_at timestamptz,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CHECK (ends_at > starts_at),
    FOREIGN KEY (tenant_id, workspace_id) REFERENCES workspaces (tenant_id, id)
);
CREATE INDEX windows_newest ON maintenance.windows (tenant_id, starts_at DESC, id DESC);
CREATE INDEX windows_open ON maintenance.windows (tenant_id, ends_at) WHERE closed_at IS NULL;
