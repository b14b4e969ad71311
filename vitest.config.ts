import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { integrationTests } from "./server/testing/integration-tests.ts";

const resolve = {
  alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") },
};
/** What is polled for may take as long as the test. */
const expecting = { expect: { poll: { timeout: 20_000 } } };
/**
 * One module graph for each worker instead of one for each file: loading them took as long as many
 * tests. No module keeps a state that a test could leave behind; what a test puts in place of
 * something is taken back after it.
 */
const shared = { isolate: false, restoreMocks: true, unstubEnvs: true, unstubGlobals: true };
const patience = { testTimeout: 30_000, hookTimeout: 60_000, ...expecting };
/** Every call goes through HTTP and two signatures. */
const morePatience = { testTimeout: 120_000, hookTimeout: 120_000, ...expecting };

/** What the functions do, whoever calls them. */
const OF_FUNCTIONS = [
  "server/engine/{flow,retries,steps,takeover}.test.ts",
  "server/testing/scenarios/{pipeline,dispute-pipeline,outage}.test.ts",
];

const FOLDERS = ["server", "contracts", "scripts", "components", "bench"];
const INTEGRATION_TESTS = integrationTests(fileURLToPath(new URL(".", import.meta.url)), FOLDERS);

export default defineConfig({
  resolve,
  test: {
    // Starts PostgreSQL unless only unit tests are run.
    globalSetup: ["server/testing/global-setup.ts"],
    // Two cores: a third worker saves a twelfth of the time, and then every wait is a wait under load.
    maxWorkers: 2,
    projects: [
      {
        resolve,
        test: {
          name: "unit",
          include: FOLDERS.map((folder) => `${folder}/**/*.test.ts`),
          exclude: INTEGRATION_TESTS,
          ...shared,
          ...patience,
        },
      },
      {
        resolve,
        test: {
          name: "integration",
          include: INTEGRATION_TESTS,
          provide: { transport: "embedded" },
          ...shared,
          ...patience,
        },
      },
      {
        resolve,
        test: {
          name: "inngest mode",
          include: OF_FUNCTIONS,
          provide: { transport: "http" },
          ...shared,
          ...morePatience,
        },
      },
    ],
  },
});
