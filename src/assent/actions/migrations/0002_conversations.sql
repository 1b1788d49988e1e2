CREATE INDEX proposals_of_conversation ON proposals (tenant_id, conversation_id, id)
    WHERE conversation_id IS NOT NULL;
-- When the conversation's model was told what became of it.
ALTER TABLE proposals ADD COLUMN told_at timestamptz;
