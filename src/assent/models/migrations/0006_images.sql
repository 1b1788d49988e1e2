-- Whether the models of an integration take images; until now all got them.
ALTER TABLE integrations ADD COLUMN images boolean NOT NULL DEFAULT true;
