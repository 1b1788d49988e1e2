-- Changes with every change of a tenant's secrets, so that a process sees that what it knows is old.
-- Not a counter: one that was rolled back would name two different states.
CREATE TABLE secret_versions (
    tenant_id uuid PRIMARY KEY,
    version uuid NOT NULL DEFAULT gen_random_uuid()
);
INSERT INTO secret_versions (tenant_id) SELECT DISTINCT tenant_id FROM secrets;
