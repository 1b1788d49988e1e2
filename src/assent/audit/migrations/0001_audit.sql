CREATE TABLE audit_entries (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    occurred_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    edge text NOT NULL,
    action text NOT NULL,
    effect text NOT NULL CHECK (effect IN ('read', 'mutate', 'destructive')),
    status text NOT NULL,
    principal_kind text NOT NULL CHECK (principal_kind IN ('user', 'application', 'service')),
    principal_id uuid,
    principal_name text NOT NULL,
    arguments_hash bytea NOT NULL CHECK (length(arguments_hash) = 32)
);
CREATE INDEX audit_entries_tenant ON audit_entries (tenant_id, id DESC);
