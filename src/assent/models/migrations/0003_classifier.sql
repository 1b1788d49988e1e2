-- Whether the integration's model also judges what a request is about.
ALTER TABLE integrations ADD COLUMN classifier boolean NOT NULL DEFAULT true;
