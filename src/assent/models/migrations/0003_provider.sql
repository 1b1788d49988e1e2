-- Whose API an integration speaks; until now all spoke OpenAI's.
ALTER TABLE integrations ADD COLUMN provider text NOT NULL DEFAULT 'openai';
ALTER TABLE integrations ADD COLUMN classifier boolean NOT NULL DEFAULT true;
ALTER TABLE integrations ADD COLUMN thinking boolean NOT NULL DEFAULT false;
