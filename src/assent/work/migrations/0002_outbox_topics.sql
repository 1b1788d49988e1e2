-- Events that nobody subscribes to stay for a while: looking for others must not read them all.
CREATE INDEX outbox_waiting_topics ON outbox (topic, id) WHERE dispatched_at IS NULL;
DROP INDEX outbox_waiting;
