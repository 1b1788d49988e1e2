-- What people attach. `extracted` is what models and the search read of it, without secrets.
CREATE TABLE files (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    owner_id uuid NOT NULL,
    name text NOT NULL,
    media_type text NOT NULL,
    size integer NOT NULL,
    width integer,
    height integer,
    content bytea NOT NULL,
    extracted text,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (tenant_id, id),
    FOREIGN KEY (tenant_id, owner_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX files_of_owner ON files (tenant_id, owner_id, created_at);
CREATE INDEX files_age ON files (tenant_id, created_at);
CREATE INDEX files_text ON files USING gin (to_tsvector('simple', coalesce(extracted, '')));

ALTER TABLE messages ADD CONSTRAINT messages_of_tenant UNIQUE (tenant_id, id);
CREATE TABLE message_files (
    tenant_id uuid NOT NULL,
    message_id uuid NOT NULL,
    file_id uuid NOT NULL,
    PRIMARY KEY (message_id, file_id),
    FOREIGN KEY (tenant_id, message_id) REFERENCES messages (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, file_id) REFERENCES files (tenant_id, id)
);
CREATE INDEX message_files_of_file ON message_files (tenant_id, file_id);

CREATE TABLE feedback (
    tenant_id uuid NOT NULL,
    message_id uuid NOT NULL,
    person_id uuid NOT NULL,
    rating text NOT NULL CHECK (rating IN ('up', 'down')),
    reasons text[] NOT NULL DEFAULT '{}',
    comment text NOT NULL DEFAULT '',
    changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (message_id, person_id),
    FOREIGN KEY (tenant_id, message_id) REFERENCES messages (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, person_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);

-- The message of the person that took the place of this one and of what followed it.
ALTER TABLE messages ADD COLUMN superseded_by uuid;
CREATE INDEX conversations_title ON conversations USING gin (to_tsvector('simple', title));

-- What untrusted content was read where this was branched from.
ALTER TABLE conversations ADD COLUMN taint jsonb NOT NULL DEFAULT '[]';
