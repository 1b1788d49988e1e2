-- The run that told the conversation's model what became of it.
ALTER TABLE proposals ADD COLUMN told_by uuid;
