-- Scripts that checks had before: going back to one needs no new test, because it ran there.
CREATE TABLE healthcheck.sources (
    tenant_id uuid NOT NULL,
    check_id uuid NOT NULL,
    kind text NOT NULL,
    digest bytea NOT NULL,
    used_until timestamptz NOT NULL,
    PRIMARY KEY (check_id, kind, digest),
    FOREIGN KEY (tenant_id, check_id) REFERENCES healthcheck.checks (tenant_id, id)
        ON DELETE CASCADE
);
