-- Facts for every prompt, by key: of the tenant, of a workspace, of a person.
CREATE TABLE business_context (
    tenant_id uuid NOT NULL,
    level text NOT NULL CHECK (level IN ('tenant', 'workspace', 'user')),
    subject_id uuid NOT NULL,
    facts jsonb NOT NULL,
    version bigint NOT NULL DEFAULT 1,
    PRIMARY KEY (tenant_id, level, subject_id)
);
-- What the assistant got wrong, and what was learned since.
CREATE TABLE corrections (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('correction', 'learning')),
    text text NOT NULL,
    taint jsonb NOT NULL DEFAULT '[]',
    author_id uuid NOT NULL,
    author_name text NOT NULL,
    added_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX corrections_of ON corrections (tenant_id, id);
