CREATE SCHEMA timeline;

-- `subject_id` is whatever has the timeline: its plugin removes what is here along with it.
CREATE TABLE timeline.updates (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    subject_id uuid NOT NULL,
    text text NOT NULL,
    status text NOT NULL,
    author_id uuid NOT NULL,
    author text NOT NULL,
    created_at timestamptz NOT NULL,
    UNIQUE (tenant_id, id)
);
CREATE INDEX updates_subject ON timeline.updates (tenant_id, subject_id, id);

CREATE TABLE timeline.links (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    subject_id uuid NOT NULL,
    label text NOT NULL,
    url text NOT NULL,
    UNIQUE (tenant_id, subject_id, url)
);

CREATE TABLE timeline.addresses (
    tenant_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    plugin text NOT NULL,
    url text NOT NULL,
    PRIMARY KEY (tenant_id, workspace_id, plugin),
    FOREIGN KEY (tenant_id, workspace_id)
        REFERENCES workspaces (tenant_id, id) ON DELETE CASCADE
);

CREATE TABLE timeline.deliveries (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    subject_id uuid NOT NULL,
    update_id uuid,
    event text NOT NULL,
    url text NOT NULL,
    body jsonb NOT NULL,
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'failed')),
    tries integer NOT NULL DEFAULT 0,
    reason text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL,
    tried_at timestamptz,
    FOREIGN KEY (tenant_id, update_id)
        REFERENCES timeline.updates (tenant_id, id) ON DELETE SET NULL (update_id)
);
CREATE INDEX deliveries_subject ON timeline.deliveries (tenant_id, subject_id, id);
CREATE INDEX deliveries_update ON timeline.deliveries (tenant_id, update_id)
    WHERE update_id IS NOT NULL;
