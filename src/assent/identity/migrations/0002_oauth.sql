-- One person's consent to one program; to consent again changes it.
CREATE TABLE oauth_connections (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    user_id uuid NOT NULL,
    client_id text NOT NULL,
    client_name text NOT NULL,
    client_host text NOT NULL,
    registered_by text NOT NULL CHECK (registered_by IN ('document', 'registration')),
    scopes text[] NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    allowed_at timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz,
    UNIQUE (tenant_id, id),
    UNIQUE (tenant_id, user_id, client_id),
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX oauth_connections_user ON oauth_connections (user_id);
CREATE INDEX oauth_connections_client ON oauth_connections (client_id);

-- A code and the family of tokens that came of it: who changes the family locks this row, and to
-- delete it ends them all.
CREATE TABLE oauth_codes (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    connection_id uuid NOT NULL,
    code_hash bytea NOT NULL UNIQUE,
    challenge text NOT NULL,
    redirect_uri text NOT NULL,
    resource text NOT NULL,
    scopes text[] NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    used_at timestamptz,
    UNIQUE (tenant_id, id),
    FOREIGN KEY (tenant_id, connection_id) REFERENCES oauth_connections (tenant_id, id)
        ON DELETE CASCADE
);
CREATE INDEX oauth_codes_connection ON oauth_codes (connection_id);
CREATE INDEX oauth_codes_expiry ON oauth_codes (expires_at);

-- A refresh token that was used stays until it would have expired: its second use gives a thief away.
CREATE TABLE oauth_tokens (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    code_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('access', 'refresh')),
    token_hash bytea NOT NULL UNIQUE,
    scopes text[] NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    used_at timestamptz,
    FOREIGN KEY (tenant_id, code_id) REFERENCES oauth_codes (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX oauth_tokens_code ON oauth_tokens (code_id);
CREATE INDEX oauth_tokens_expiry ON oauth_tokens (expires_at);

-- What programs say about themselves at their own address; the same for every tenant.
CREATE TABLE oauth_documents (
    client_id text PRIMARY KEY,
    program jsonb,
    fault text,
    fetched_at timestamptz NOT NULL DEFAULT now(),
    fresh_until timestamptz NOT NULL,
    CHECK ((program IS NULL) <> (fault IS NULL))
);

-- Programs that have registered themselves, before anybody has connected them.
CREATE TABLE oauth_registrations (
    client_id text PRIMARY KEY,
    program jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);
