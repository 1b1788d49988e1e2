-- Whole results of tools that were cut to size for a model.
CREATE TABLE artifacts (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    principal_id uuid NOT NULL,
    tool text NOT NULL,
    rules text[] NOT NULL,
    value json NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX artifacts_age ON artifacts (tenant_id, created_at);
