-- What a read has shown to whoever asked: that exactly these bytes were tested, and how that ended.
-- A later proposal of the same principal can rest on it. Kept for a day.
CREATE TABLE evidence (
    tenant_id uuid NOT NULL REFERENCES tenants,
    principal_id uuid NOT NULL,
    kind text NOT NULL,
    digest text NOT NULL,
    shown jsonb NOT NULL,
    kept_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (tenant_id, principal_id, kind, digest)
);
CREATE INDEX evidence_age ON evidence (tenant_id, kept_at);
