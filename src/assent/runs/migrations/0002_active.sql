-- Runs that are not over are few among all that were: who looks for lost ones reads only these.
CREATE INDEX runs_active ON runs (work_id) WHERE status IN ('queued', 'running');
