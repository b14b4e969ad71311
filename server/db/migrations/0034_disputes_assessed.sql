DO $$ BEGIN
  IF EXISTS (SELECT FROM "ledger_records") THEN
    RAISE EXCEPTION 'it has records of an earlier version, whose registry differs. Use an empty database, and a chain with this version''s registry (in local mode, delete the data folder DATA_DIR)';
  END IF;
END $$;--> statement-breakpoint
ALTER TABLE "disputes" ADD COLUMN "assessed" boolean;