-- Who decided gets a kind. Until now only people could.
ALTER TABLE audit_entries
    ADD COLUMN decider_kind text CHECK (decider_kind IN ('user', 'application', 'service'));
UPDATE audit_entries SET decider_kind = 'user' WHERE decider_name IS NOT NULL;

-- An entry is inserted without place and link; the sealer gives it both, once.
ALTER TABLE audit_entries
    ADD COLUMN position bigint CHECK (position > 0),
    ADD COLUMN link bytea CHECK (length(link) = 32),
    ADD CHECK ((position IS NULL) = (link IS NULL));
CREATE UNIQUE INDEX audit_entries_position ON audit_entries (tenant_id, position)
    WHERE position IS NOT NULL;
CREATE INDEX audit_entries_unsealed ON audit_entries (tenant_id, id) WHERE position IS NULL;

-- The log is shown by time.
DROP INDEX audit_entries_tenant;
CREATE INDEX audit_entries_time ON audit_entries (tenant_id, occurred_at DESC, id DESC);

CREATE TABLE audit_heads (
    tenant_id uuid NOT NULL,
    position bigint NOT NULL,
    entries integer NOT NULL,
    link bytea NOT NULL,
    signed_at timestamptz NOT NULL,
    key_id text NOT NULL,
    signature bytea NOT NULL,
    PRIMARY KEY (tenant_id, position)
);
