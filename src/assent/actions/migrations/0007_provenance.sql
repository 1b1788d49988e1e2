-- Where each value of the call came from, and what makes the card red. json: the seal covers it.
ALTER TABLE proposals ADD COLUMN provenance json NOT NULL DEFAULT '{}';
