-- The call that takes an applied change back, sealed like a payload, and the versions on which it
-- rested when the change was made: it is offered only while they are the same.
CREATE TABLE undo_plans (
    proposal_id uuid PRIMARY KEY REFERENCES proposals ON DELETE CASCADE,
    tenant_id uuid NOT NULL,
    tool text NOT NULL,
    payload bytea NOT NULL,
    basis json NOT NULL
);

-- The proposal whose change this one takes back: at most one waits or has done so.
ALTER TABLE proposals ADD COLUMN undoes uuid;
CREATE UNIQUE INDEX proposals_undo ON proposals (tenant_id, undoes)
    WHERE undoes IS NOT NULL
      AND state IN ('proposed', 'applying', 'applied', 'outcome_unknown');
