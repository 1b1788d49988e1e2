-- Who decided, where that was not the actor alone, and what an entry belongs to.
ALTER TABLE audit_entries
    ADD COLUMN decider_id uuid,
    ADD COLUMN decider_name text,
    ADD COLUMN conversation_id uuid,
    ADD COLUMN run_id uuid,
    ADD COLUMN proposal_id uuid;
CREATE INDEX audit_entries_proposal ON audit_entries (tenant_id, proposal_id)
    WHERE proposal_id IS NOT NULL;
