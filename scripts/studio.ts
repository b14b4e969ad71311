// Opens drizzle's table browser on the database of the running service: npm run db:studio.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { parseEnv } from "@/server/lib/env";
import { runMain } from "./lib/command-line";
import { ensureDependencies } from "./lib/dependencies.mjs";
import { loadDotEnv } from "./lib/dot-env.mjs";
import { offerHelp } from "./lib/help.mjs";
import { describeDatabaseError, findDatabaseUrl } from "./lib/running-service";

async function main(args: string[]): Promise<number> {
  offerHelp(
    "Usage: npm run db:studio -- [OPTION…]\nOptions are those of drizzle-kit studio.",
    args,
  );
  await ensureDependencies({ tools: true });
  loadDotEnv();
  const env = { ...process.env, DATABASE_URL: await findDatabaseUrl(parseEnv()) };
  const command = ["node_modules/.bin/drizzle-kit", "studio", ...args];
  const [code] = await once(spawn(process.execPath, command, { env, stdio: "inherit" }), "exit");
  return code ?? 1;
}

await runMain(main, { describeError: describeDatabaseError });
