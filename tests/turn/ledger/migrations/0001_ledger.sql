CREATE SCHEMA ledger;

CREATE TABLE ledger.notes (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    source text NOT NULL,
    text text NOT NULL
);

-- Outside of every transaction of a handler: what was tried, even if it was rolled back.
CREATE SEQUENCE ledger.tries;
