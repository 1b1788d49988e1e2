CREATE TABLE conversations (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    kind text NOT NULL DEFAULT 'ai' CHECK (kind IN ('ai', 'direct', 'group', 'task')),
    owner_id uuid NOT NULL,
    agent text,
    integration_id uuid,
    model text,
    mode text NOT NULL DEFAULT 'approve' CHECK (mode IN ('approve', 'auto')),
    -- Where it began, and where it is now.
    workspace_id uuid,
    active_workspace_id uuid,
    title text NOT NULL DEFAULT '',
    title_source text NOT NULL DEFAULT 'none'
        CHECK (title_source IN ('none', 'fallback', 'model', 'person')),
    next_seq bigint NOT NULL DEFAULT 1,
    summary text,
    summarized_through_seq bigint,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    active_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    archived_at timestamptz,
    UNIQUE (tenant_id, id),
    FOREIGN KEY (tenant_id, owner_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, workspace_id) REFERENCES workspaces (tenant_id, id)
        ON DELETE SET NULL (workspace_id),
    FOREIGN KEY (tenant_id, active_workspace_id) REFERENCES workspaces (tenant_id, id)
        ON DELETE SET NULL (active_workspace_id)
);
CREATE INDEX conversations_of_owner ON conversations (tenant_id, owner_id, active_at DESC, id DESC)
    WHERE archived_at IS NULL;

CREATE TABLE participants (
    tenant_id uuid NOT NULL,
    conversation_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('user', 'agent')),
    -- A person's id, or an agent's slug.
    who text NOT NULL,
    role text NOT NULL DEFAULT 'member' CHECK (role IN ('owner', 'member')),
    auto_respond boolean NOT NULL DEFAULT false,
    PRIMARY KEY (conversation_id, kind, who),
    FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id)
        ON DELETE CASCADE
);

CREATE TABLE messages (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    conversation_id uuid NOT NULL,
    seq bigint NOT NULL,
    role text NOT NULL CHECK (role IN ('user', 'assistant')),
    author text NOT NULL,
    -- What the client called it: the same message sent again is the same message.
    client_id text,
    content text NOT NULL,
    parts jsonb NOT NULL,
    run_id uuid,
    usage jsonb,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (conversation_id, seq),
    FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id)
        ON DELETE CASCADE
);
CREATE UNIQUE INDEX messages_client ON messages (conversation_id, client_id)
    WHERE client_id IS NOT NULL;
CREATE INDEX messages_text ON messages USING gin (to_tsvector('simple', content));
