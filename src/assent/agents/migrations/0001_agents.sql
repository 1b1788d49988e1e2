CREATE TABLE agents (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    prompt text NOT NULL DEFAULT '',
    integration_id uuid,
    model text,
    -- The tools that it may use; NULL for all.
    tools text[],
    step_cap integer NOT NULL DEFAULT 16,
    enabled boolean NOT NULL DEFAULT true,
    version bigint NOT NULL DEFAULT 1,
    UNIQUE (tenant_id, slug)
);
