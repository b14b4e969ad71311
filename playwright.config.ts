import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig, devices } from "@playwright/test";

const port = Number(process.env.E2E_PORT ?? 3210);
const data = join(tmpdir(), `standing-e2e-${port}`);

export default defineConfig({
  testDir: "e2e",
  outputDir: ".test/playwright",
  workers: 1,
  retries: 0,
  timeout: 60_000,
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  projects: [
    {
      name: "desktop",
      use: { ...devices["Desktop Chrome"], viewport: { width: 1440, height: 900 } },
    },
  ],
  webServer: {
    command: `rm -rf ${data} && node --import tsx server.ts`,
    url: `http://127.0.0.1:${port}/api/health`,
    timeout: 120_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: "SIGTERM", timeout: 20_000 },
    env: {
      ...everyVariableEmpty(),
      NODE_ENV: "production",
      PORT: String(port),
      DATA_DIR: data,
      LOG_LEVEL: "warn",
    },
  },
});

/** The tests must never run on what somebody's shell or .env file configures. */
function everyVariableEmpty(): Record<string, string> {
  const documented = readFileSync(".env.example", "utf8").matchAll(/^#?([A-Z][A-Z_]+)=/gm);
  return Object.fromEntries([...documented].map(([, name]) => [name, ""]));
}
