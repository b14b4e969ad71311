DELETE FROM "model_states";--> statement-breakpoint
ALTER TABLE "model_states" DROP CONSTRAINT "model_states_pkey";--> statement-breakpoint
ALTER TABLE "model_states" ADD COLUMN "endpoint" text NOT NULL;--> statement-breakpoint
ALTER TABLE "model_states" ADD CONSTRAINT "model_states_endpoint_model_pk" PRIMARY KEY("endpoint","model");
