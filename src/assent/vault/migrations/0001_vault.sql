CREATE TABLE secrets (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    name text NOT NULL,
    key_id text NOT NULL,
    ciphertext bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX secrets_tenant ON secrets (tenant_id);
CREATE INDEX secrets_key ON secrets (key_id);

-- Which master keys this database has been used with: a start with a foreign key is refused.
CREATE TABLE vault_keys (
    key_id text PRIMARY KEY,
    first_used_at timestamptz NOT NULL DEFAULT now()
);
