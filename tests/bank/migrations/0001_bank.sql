CREATE SCHEMA bank;
CREATE TABLE bank.accounts (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    name text NOT NULL,
    balance bigint NOT NULL DEFAULT 0 CHECK (balance >= 0),
    version bigint NOT NULL DEFAULT 1
);
-- One row for each time that a change really happened.
CREATE TABLE bank.effects (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    account_id uuid NOT NULL,
    reference text NOT NULL
);
CREATE TABLE bank.settled (
    reference text PRIMARY KEY DEFERRABLE INITIALLY DEFERRED
);
