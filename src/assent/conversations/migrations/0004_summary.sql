-- What stands in the place of turns that are not replayed any more, and how far it reaches. Nobody
-- has written one before.
ALTER TABLE conversations ALTER COLUMN summary TYPE jsonb USING NULL;
-- How far estimates of a request's tokens were off, by model.
ALTER TABLE conversations ADD COLUMN learned jsonb NOT NULL DEFAULT '{}';
