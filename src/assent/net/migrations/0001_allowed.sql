-- Where tools may send data without a card. Without a tool, every tool may.
CREATE TABLE egress_allowed (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    -- Scheme, host and port, the port always written out.
    origin text NOT NULL,
    tool text,
    note text NOT NULL,
    added_by uuid NOT NULL,
    added_by_name text NOT NULL,
    added_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (tenant_id, id),
    UNIQUE NULLS NOT DISTINCT (tenant_id, origin, tool)
);
