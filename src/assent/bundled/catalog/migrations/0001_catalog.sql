CREATE SCHEMA catalog;

CREATE TABLE catalog.systems (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (tenant_id, workspace_id, id),
    FOREIGN KEY (tenant_id, workspace_id) REFERENCES workspaces (tenant_id, id)
);
CREATE UNIQUE INDEX systems_name ON catalog.systems (tenant_id, workspace_id, lower(name));

CREATE TABLE catalog.groups (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (tenant_id, workspace_id, id),
    FOREIGN KEY (tenant_id, workspace_id) REFERENCES workspaces (tenant_id, id)
);
CREATE UNIQUE INDEX groups_name ON catalog.groups (tenant_id, workspace_id, lower(name));

CREATE TABLE catalog.environments (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (tenant_id, workspace_id, id),
    FOREIGN KEY (tenant_id, workspace_id) REFERENCES workspaces (tenant_id, id)
);
CREATE UNIQUE INDEX environments_name ON catalog.environments (tenant_id, workspace_id, lower(name));

-- The workspace is part of every reference, so that nothing points into another one.
CREATE TABLE catalog.system_groups (
    tenant_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    system_id uuid NOT NULL,
    group_id uuid NOT NULL,
    PRIMARY KEY (system_id, group_id),
    FOREIGN KEY (tenant_id, workspace_id, system_id)
        REFERENCES catalog.systems (tenant_id, workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, workspace_id, group_id)
        REFERENCES catalog.groups (tenant_id, workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX system_groups_group ON catalog.system_groups (group_id);

CREATE TABLE catalog.system_environments (
    tenant_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    system_id uuid NOT NULL,
    environment_id uuid NOT NULL,
    PRIMARY KEY (system_id, environment_id),
    FOREIGN KEY (tenant_id, workspace_id, system_id)
        REFERENCES catalog.systems (tenant_id, workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, workspace_id, environment_id)
        REFERENCES catalog.environments (tenant_id, workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX system_environments_environment ON catalog.system_environments (environment_id);

CREATE TABLE catalog.dependencies (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    system_id uuid NOT NULL,
    depends_on_id uuid NOT NULL,
    strength text NOT NULL CHECK (strength IN ('hard', 'soft')),
    note text NOT NULL,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CHECK (system_id <> depends_on_id),
    UNIQUE (system_id, depends_on_id),
    FOREIGN KEY (tenant_id, workspace_id, system_id)
        REFERENCES catalog.systems (tenant_id, workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, workspace_id, depends_on_id)
        REFERENCES catalog.systems (tenant_id, workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX dependencies_target ON catalog.dependencies (depends_on_id);
