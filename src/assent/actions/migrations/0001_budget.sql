-- The times of a principal's last calls, in one row: taking one is one statement.
CREATE TABLE tool_budget (
    tenant_id uuid NOT NULL,
    principal_id uuid NOT NULL,
    taken timestamptz[] NOT NULL,
    PRIMARY KEY (tenant_id, principal_id)
);
