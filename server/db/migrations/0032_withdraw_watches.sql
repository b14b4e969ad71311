-- Watches of agents without an account are withdrawn: their webhooks, which have no agent, go with
-- their rows in "watches" and their deliveries. The version before this one still reads the empty
-- table, so it is dropped one version later.
DELETE FROM "webhooks" WHERE "agent_id" IS NULL;
