-- The program that asked over MCP, as it is shown to whoever decides. json, not jsonb: it is sealed
-- with the card, to the letter.
ALTER TABLE proposals ADD COLUMN client json;
-- A call outside of a run proposes once too, until its outcome was told.
CREATE UNIQUE INDEX proposals_asked ON proposals (tenant_id, call_key)
    WHERE call_key IS NOT NULL AND run_id IS NULL;

-- States of requests over MCP that were used: each is good for one more round. They go when they
-- could not be used any more anyway.
CREATE TABLE spent_states (
    tenant_id uuid NOT NULL REFERENCES tenants,
    id uuid NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id)
);
CREATE INDEX spent_states_age ON spent_states (tenant_id, expires_at);
