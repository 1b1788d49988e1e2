CREATE TABLE proposals (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    tool text NOT NULL,
    effect text NOT NULL CHECK (effect IN ('read', 'mutate', 'destructive')),
    egress boolean NOT NULL,
    external boolean NOT NULL,
    edge text NOT NULL,
    conversation_id uuid,
    run_id uuid,
    -- Which call of the run this is: the same call proposes once.
    call_key text,
    proposer_kind text NOT NULL CHECK (proposer_kind IN ('user', 'application')),
    proposer_id uuid NOT NULL,
    proposer_name text NOT NULL,
    -- The person whose it is: the proposer, or the owner of the application that proposed.
    owner_id uuid NOT NULL,
    -- Sealed, and bound to its hash and to the card: what is applied is what was shown.
    payload bytea NOT NULL,
    payload_hash bytea NOT NULL CHECK (length(payload_hash) = 32),
    -- json, not jsonb: the seal covers the card to the letter.
    preview json NOT NULL,
    basis json NOT NULL,
    reason_code text NOT NULL,
    reason text NOT NULL,
    state text NOT NULL DEFAULT 'proposed' CHECK (state IN (
        'proposed', 'applying', 'applied', 'failed', 'outcome_unknown',
        'declined', 'expired', 'voided', 'superseded')),
    supersedes uuid,
    superseded_by uuid,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at timestamptz NOT NULL,
    decider_id uuid,
    decider_name text,
    decided_at timestamptz,
    note text,
    -- When a change outside began: from here on its outcome may be unknown.
    begun_at timestamptz,
    finished_at timestamptz,
    result json,
    error json
);
CREATE INDEX proposals_owner ON proposals (tenant_id, owner_id, id DESC);
CREATE INDEX proposals_tenant ON proposals (tenant_id, id DESC);
CREATE INDEX proposals_waiting ON proposals (expires_at) WHERE state = 'proposed';
CREATE UNIQUE INDEX proposals_call ON proposals (tenant_id, run_id, call_key)
    WHERE call_key IS NOT NULL;

-- One per person and card shown; only the hash is kept.
CREATE TABLE decision_tokens (
    token_hash bytea PRIMARY KEY,
    tenant_id uuid NOT NULL,
    proposal_id uuid NOT NULL REFERENCES proposals ON DELETE CASCADE,
    person_id uuid NOT NULL,
    payload_hash bytea NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX decision_tokens_proposal ON decision_tokens (proposal_id, person_id);
CREATE INDEX decision_tokens_expiry ON decision_tokens (expires_at);

-- The times of a principal's last calls, in one row: taking one is one statement.
CREATE TABLE tool_budget (
    tenant_id uuid NOT NULL,
    principal_id uuid NOT NULL,
    taken timestamptz[] NOT NULL,
    PRIMARY KEY (tenant_id, principal_id)
);
