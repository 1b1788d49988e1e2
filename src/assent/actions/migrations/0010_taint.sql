-- What untrusted content was in the model's context when it prepared the change.
ALTER TABLE proposals ADD COLUMN taint json NOT NULL DEFAULT '[]';
