CREATE TABLE "status_days" (
	"day" date PRIMARY KEY NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	"checks" integer NOT NULL,
	"down" jsonb NOT NULL
);
