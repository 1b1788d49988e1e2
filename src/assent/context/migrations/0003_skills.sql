-- Instructions for one turn, chosen by the person. owner_id: whose it is alone, or NULL when shared.
CREATE TABLE skills (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    owner_id uuid,
    name text NOT NULL,
    description text NOT NULL DEFAULT '',
    prompt text NOT NULL,
    starter text NOT NULL DEFAULT '',
    taint jsonb NOT NULL DEFAULT '[]',
    author_id uuid NOT NULL,
    author_name text NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    version bigint NOT NULL DEFAULT 1
);
CREATE INDEX skills_of ON skills (tenant_id, owner_id);
CREATE UNIQUE INDEX skills_named
    ON skills (tenant_id, coalesce(owner_id, '00000000-0000-0000-0000-000000000000'), lower(name));
