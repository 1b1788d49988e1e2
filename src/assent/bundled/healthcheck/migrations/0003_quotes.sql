-- Whether the reason has words of what was looked at. Of reasons from before nobody can tell.
ALTER TABLE healthcheck.checks ADD COLUMN quotes boolean NOT NULL DEFAULT false;
UPDATE healthcheck.checks SET quotes = true WHERE reason <> '';
