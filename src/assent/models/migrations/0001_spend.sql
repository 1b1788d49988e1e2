-- What a principal has reserved and spent on an integration's models: one row, so that its lock
-- alone decides between calls that begin at once.
CREATE TABLE spend (
    tenant_id uuid NOT NULL,
    integration_id uuid NOT NULL,
    principal_id uuid NOT NULL,
    window_seconds integer NOT NULL CHECK (window_seconds > 0),
    -- The sum of `counted` over the reservations.
    reserved bigint NOT NULL CHECK (reserved >= 0),
    -- Settled spends, summed by sixtieths of the window. Each sum stands at the end of its
    -- sixtieth, so that it never falls out of the window too early.
    ends timestamptz[] NOT NULL,
    tokens bigint[] NOT NULL,
    PRIMARY KEY (tenant_id, integration_id, principal_id),
    CHECK (cardinality(ends) = cardinality(tokens))
) WITH (fillfactor = 50);

CREATE TABLE spend_reservations (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    integration_id uuid NOT NULL,
    principal_id uuid NOT NULL,
    purpose text NOT NULL,
    worst_case bigint NOT NULL CHECK (worst_case > 0),
    -- What the call counts as when nobody settles it before its lease is over.
    estimate bigint NOT NULL CHECK (estimate BETWEEN 0 AND worst_case),
    lapsed boolean NOT NULL DEFAULT false,
    counted bigint GENERATED ALWAYS AS (CASE WHEN lapsed THEN estimate ELSE worst_case END) STORED,
    expires_at timestamptz NOT NULL,
    FOREIGN KEY (tenant_id, integration_id, principal_id) REFERENCES spend
) WITH (fillfactor = 80);

-- Not on expires_at: a renewal would then have to write the index too.
CREATE INDEX spend_reservations_spender
    ON spend_reservations (tenant_id, integration_id, principal_id);
