ALTER TABLE integrations ADD COLUMN prices jsonb NOT NULL DEFAULT '[]';
ALTER TABLE integrations ADD COLUMN provided boolean NOT NULL DEFAULT false;

-- Every call of a model: there before the call with its worst case, completed after it. Its figures
-- always count, so that a sum over this is what was spent and what is held.
CREATE TABLE model_calls (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz,
    -- Of an open call: from then on nobody expects to hear of it.
    expires_at timestamptz NOT NULL,
    integration_id uuid,
    provider text NOT NULL,
    model text NOT NULL,
    purpose text NOT NULL,
    principal_id uuid NOT NULL,
    agent text,
    conversation_id uuid,
    run_id uuid,
    provided boolean NOT NULL,
    input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    cache_read_tokens bigint NOT NULL DEFAULT 0,
    cache_write_tokens bigint NOT NULL DEFAULT 0,
    reasoning_tokens bigint NOT NULL DEFAULT 0,
    cleared_tool_uses bigint NOT NULL DEFAULT 0,
    cleared_tokens bigint NOT NULL DEFAULT 0,
    cost numeric,
    currency text,
    outcome text NOT NULL DEFAULT 'open'
        CHECK (outcome IN ('open', 'finished', 'cancelled', 'failed', 'lost')),
    estimated boolean NOT NULL DEFAULT true,
    CHECK ((cost IS NULL) = (currency IS NULL))
) WITH (fillfactor = 80);
CREATE INDEX model_calls_time ON model_calls (tenant_id, started_at, id);
CREATE INDEX model_calls_run ON model_calls (tenant_id, run_id) WHERE run_id IS NOT NULL;
CREATE INDEX model_calls_open ON model_calls (tenant_id, expires_at) WHERE outcome = 'open';

-- What a tenant may spend in a month on integrations that are provided to it. The unit is `tokens`
-- or a currency.
CREATE TABLE allowances (
    tenant_id uuid PRIMARY KEY,
    unit text,
    amount numeric CHECK (amount >= 0),
    chat_enabled boolean NOT NULL DEFAULT true,
    version bigint NOT NULL DEFAULT 1,
    CHECK ((unit IS NULL) = (amount IS NULL))
);

-- The sum of the provided calls of a month (UTC) in each unit: one row, so that its lock alone
-- decides between calls that begin at once.
CREATE TABLE credit_use (
    tenant_id uuid NOT NULL,
    month date NOT NULL,
    unit text NOT NULL,
    used numeric NOT NULL,
    PRIMARY KEY (tenant_id, month, unit)
) WITH (fillfactor = 50);
