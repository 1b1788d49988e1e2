-- Who has to assent, besides whoever would decide anyway. Roles and people are named without a
-- foreign key: one that is gone names nobody, and never everybody.
CREATE TABLE approval_rules (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    title text NOT NULL,
    note text NOT NULL DEFAULT '',
    tool text NOT NULL,
    effect text CHECK (effect IN ('mutate', 'destructive')),
    condition json,
    needed integer NOT NULL CHECK (needed > 0),
    anyone boolean NOT NULL,
    role_ids uuid[] NOT NULL DEFAULT '{}',
    user_ids uuid[] NOT NULL DEFAULT '{}',
    not_proposer boolean NOT NULL,
    version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    CHECK (anyone OR cardinality(role_ids) + cardinality(user_ids) > 0)
);
CREATE INDEX approval_rules_tool ON approval_rules (tenant_id, tool);

-- What people said about a proposal for which an approval rule holds; the last one is also the
-- proposal's decider. A vote is for what its person saw.
CREATE TABLE decisions (
    tenant_id uuid NOT NULL,
    proposal_id uuid NOT NULL REFERENCES proposals ON DELETE CASCADE,
    person_id uuid NOT NULL,
    person_name text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('apply', 'decline')),
    payload_hash bytea NOT NULL,
    decided_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (proposal_id, person_id)
);

-- Written with every vote: whoever waited for the row's lock has to look again.
ALTER TABLE proposals ADD COLUMN voted_at timestamptz;
