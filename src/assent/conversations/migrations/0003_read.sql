-- How far a person has read. What was there before counts as read.
ALTER TABLE participants ADD COLUMN read_seq bigint NOT NULL DEFAULT 0;
UPDATE participants SET read_seq = conversations.next_seq - 1
FROM conversations
WHERE conversations.tenant_id = participants.tenant_id
  AND conversations.id = participants.conversation_id AND participants.kind = 'user';
