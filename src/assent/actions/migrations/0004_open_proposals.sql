-- What waits in a conversation: lists of conversations ask for it in every line.
CREATE INDEX proposals_open ON proposals (tenant_id, conversation_id) WHERE state = 'proposed';
