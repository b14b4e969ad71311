ALTER TABLE "agents" ADD COLUMN "simulated" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "disputes" ADD COLUMN "simulated" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "outcomes" ADD COLUMN "simulated" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "reputations" ADD COLUMN "simulated" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "agents_simulated" ON "agents" USING btree ("simulated") WHERE simulated;