import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  schema: "./server/*/tables.ts",
  out: "./server/db/migrations",
  casing: "snake_case",
  // Only `npm run db:studio` connects, and it sets this.
  dbCredentials: { url: process.env.DATABASE_URL ?? "" },
});
