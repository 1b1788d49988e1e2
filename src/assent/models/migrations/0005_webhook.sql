-- Where a tenant is told of what its turns took; off until somebody sets it.
CREATE TABLE webhooks (
    tenant_id uuid PRIMARY KEY,
    url text NOT NULL,
    secret_id uuid,
    events text[] NOT NULL DEFAULT '{}',
    enabled boolean NOT NULL,
    version bigint NOT NULL DEFAULT 1
);
