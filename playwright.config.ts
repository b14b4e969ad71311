import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig, devices } from "playwright/test";
import { CHROMIUM_FLAGS } from "./scripts/lib/chromium.mjs";
import { SERVER_ARGS } from "./scripts/lib/compile.mjs";
import { emptyEnv } from "./server/testing/process/process-env";

const port = Number(process.env.E2E_PORT ?? 3210);
/** Where a test may start a mail server. */
export const MAIL_PORT = port + 1_000;
/** Folder of the service's data. */
export const DATA_DIR = join(tmpdir(), `standing-e2e-${port}`);
/** Agents and outcomes that tests share; see `e2e/seed.setup.ts`. */
export const SEED_FILE = `${DATA_DIR}.json`;
/** Files that only `npm run test:slow` runs. */
const SLOW = /\.slow\.spec\.ts$/;

export default defineConfig({
  testDir: "e2e",
  outputDir: ".test/playwright",
  workers: 2,
  fullyParallel: true,
  retries: 0,
  timeout: 120_000,
  // A busy machine may take longer than the default of five seconds.
  expect: { timeout: 20_000 },
  use: {
    ...devices["Desktop Chrome"],
    viewport: { width: 1440, height: 900 },
    baseURL: `http://127.0.0.1:${port}`,
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
      args: CHROMIUM_FLAGS,
    },
  },
  projects: [
    { name: "seed", testMatch: "seed.setup.ts" },
    { name: "fast", testIgnore: SLOW, dependencies: ["seed"] },
    { name: "slow", testMatch: SLOW, dependencies: ["seed"] },
  ],
  webServer: {
    command: `rm -rf ${DATA_DIR} && node ${SERVER_ARGS.join(" ")}`,
    url: `http://127.0.0.1:${port}/api/health`,
    timeout: 120_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: "SIGTERM", timeout: 20_000 },
    env: {
      ...emptyEnv(),
      NODE_ENV: "production",
      PORT: String(port),
      DATA_DIR,
      LOG_LEVEL: "warn",
      SMTP_URL: `smtp://127.0.0.1:${MAIL_PORT}`,
      MAIL_FROM: "Standing <alerts@standing.example>",
      SECURITY_CONTACT: "mailto:security@example.com",
      // All browsers of the tests count as one client.
      PUBLIC_READS_PER_MINUTE: "1000000",
      // Tests that register agents by the API name a client of their own.
      TRUSTED_PROXIES: "1",
      // Long enough for the tests to see a dispute open, even on a slow machine.
      DISPUTE_RESPONSE_WINDOW: "10m",
    },
  },
});
