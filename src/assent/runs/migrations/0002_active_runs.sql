-- What is under way, which is little: lists of conversations ask for it in every line.
CREATE INDEX runs_active ON runs (tenant_id, conversation_id) WHERE status IN ('queued', 'running');
