CREATE TABLE integrations (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    name text NOT NULL,
    base_url text NOT NULL,
    secret_id uuid,
    default_model text NOT NULL,
    allowed_models text[] NOT NULL DEFAULT '{}',
    family text NOT NULL DEFAULT 'generic' CHECK (family IN ('openai', 'anthropic', 'generic')),
    context_window integer,
    cap_tokens bigint,
    cap_seconds integer,
    enabled boolean NOT NULL DEFAULT true,
    version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (tenant_id, id),
    CHECK ((cap_tokens IS NULL) = (cap_seconds IS NULL))
);
CREATE UNIQUE INDEX integrations_name ON integrations (tenant_id, lower(name));
