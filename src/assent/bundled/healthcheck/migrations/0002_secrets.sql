-- What scripts of checks name as `__SECRET_NAME__`: references to the vault, never a value.
CREATE TABLE healthcheck.secrets (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    name text NOT NULL,
    secret_id uuid NOT NULL,
    UNIQUE (tenant_id, workspace_id, name),
    FOREIGN KEY (tenant_id, workspace_id) REFERENCES workspaces (tenant_id, id) ON DELETE CASCADE
);
