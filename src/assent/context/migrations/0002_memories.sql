-- What people want to be remembered. owner_id: whose it is alone, or NULL for a shared one.
-- taint: the untrusted content that the model had before it that wrote it.
CREATE TABLE memories (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    owner_id uuid,
    text text NOT NULL,
    hint text NOT NULL DEFAULT '',
    always_apply boolean NOT NULL DEFAULT false,
    system_id uuid,
    system_name text,
    workspace_id uuid,
    taint jsonb NOT NULL DEFAULT '[]',
    author_id uuid NOT NULL,
    author_name text NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    version bigint NOT NULL DEFAULT 1,
    CHECK ((system_id IS NULL) = (workspace_id IS NULL))
);
CREATE INDEX memories_of ON memories (tenant_id, owner_id);
CREATE INDEX memories_about ON memories (tenant_id, system_id) WHERE system_id IS NOT NULL;
-- One row for all that are compared with each other: whoever writes one changes it first, so that
-- two that say the same at the same moment see each other.
CREATE TABLE memory_pools (
    tenant_id uuid NOT NULL,
    pool text NOT NULL,
    written bigint NOT NULL DEFAULT 1,
    PRIMARY KEY (tenant_id, pool)
);
