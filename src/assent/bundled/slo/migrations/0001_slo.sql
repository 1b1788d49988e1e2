CREATE SCHEMA slo;

-- What an objective is about belongs to another plugin: an id, and no reference.
CREATE TABLE slo.objectives (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    system_id uuid,
    check_id uuid,
    target double precision NOT NULL,
    window_days integer NOT NULL,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CHECK ((system_id IS NULL) <> (check_id IS NULL)),
    UNIQUE (tenant_id, workspace_id, id),
    FOREIGN KEY (tenant_id, workspace_id) REFERENCES workspaces (tenant_id, id)
);
CREATE UNIQUE INDEX objectives_name ON slo.objectives (tenant_id, workspace_id, lower(name));
CREATE INDEX objectives_system ON slo.objectives (tenant_id, system_id);
CREATE INDEX objectives_check ON slo.objectives (tenant_id, check_id);
