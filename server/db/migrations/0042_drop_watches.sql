-- What watches of agents without an account left behind (0032).
DROP TABLE "watches";--> statement-breakpoint
ALTER TABLE "webhooks" ALTER COLUMN "agent_id" SET NOT NULL;
