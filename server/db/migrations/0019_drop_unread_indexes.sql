DROP INDEX "explorer_counts_xid";--> statement-breakpoint
DROP INDEX "explorer_text";--> statement-breakpoint
ALTER TABLE "explorer_counts" DROP COLUMN "xid";