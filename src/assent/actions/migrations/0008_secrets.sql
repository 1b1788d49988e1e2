-- References to what a person typed into a card: names of fields, ids of secrets, never a value.
ALTER TABLE proposals ADD COLUMN secrets jsonb NOT NULL DEFAULT '{}';
