import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { findIntegrationTests } from "./server/testing/integration-tests.ts";

const root = fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "");
const resolve = {
  alias: [
    { find: "@standing/sdk", replacement: `${root}/packages/sdk/src/index.ts` },
    { find: /^@\//, replacement: `${root}/` },
  ],
};
/**
 * One module graph for each worker instead of one for each file: loading them took as long as many
 * tests. What modules keep (caches, the pool of worker threads) therefore outlives a file, and no test
 * may depend on it. Mocks are restored after each test.
 */
const isolation = { isolate: false, restoreMocks: true, unstubEnvs: true, unstubGlobals: true };
/**
 * Longer than the longest limit of wall-clock time that a test can wait for on a busy machine, 60 s: no
 * test is about speed. A polled expectation may take almost as long as the test.
 */
const timeouts = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 100_000 } },
};

/** Tests that also run with the functions called over HTTP by an Inngest server. */
const INNGEST_TESTS = ["server/engine/{flow,retries,steps,takeover}.test.ts"];
const SLOW_INNGEST_TESTS = ["server/testing/scenarios/{pipeline,dispute-pipeline}.test.ts"];

/** Tests of random cases that also run with ten times as many: see `scaleRuns`. */
const PROPERTY_TESTS = [
  "server/explorer/risk/small-payments.test.ts",
  "server/judging/checks/task-sentences.test.ts",
  "server/reputation/score/score.properties.test.ts",
  "server/rest/fuzz.test.ts",
  "server/testing/scenarios/openapi-fuzz.test.ts",
];

const FOLDERS = ["server", "contracts", "scripts", "components", "bench", "packages/sdk/tests"];
/** Run by `npm run test:slow`: what takes long, or starts many processes, and few changes concern. */
const SLOW_TESTS = FOLDERS.map((folder) => `${folder}/**/*.slow.test.ts`);
const INTEGRATION_TESTS = findIntegrationTests(root, FOLDERS).filter(
  (file) => !file.endsWith(".slow.test.ts"),
);

/**
 * Files that take long although they are short. They start first, so that no worker waits for the other at
 * the end; the others start in the order of their durations in the last run, or of their sizes.
 */
const LONGEST_TESTS = [
  "scripts/fresh-clone.slow.test.ts",
  "server/judging/checks/code/sandbox/execute-code.test.ts",
  "scripts/start.test.ts",
  "server/judging/requirements/decide-requirements.test.ts",
  "server/judging/checks/code/code-programs.test.ts",
  "server/bootstrap/health.test.ts",
  "server/testing/scenarios/pipeline.test.ts",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const rank = ({ moduleId }: TestSpecification) => {
      const found = LONGEST_TESTS.findIndex((file) => moduleId.endsWith(`/${file}`));
      return found < 0 ? LONGEST_TESTS.length : found;
    };
    // Not across projects: a worker keeps its modules only as long as it stays in one.
    const projects = Object.groupBy(await super.sort(files), ({ project }) => project.name);
    return Object.values(projects).flatMap((tests = []) =>
      tests.toSorted((a, b) => rank(a) - rank(b)),
    );
  }
}

export default defineConfig({
  resolve,
  test: {
    // Starts PostgreSQL unless only unit tests are run.
    globalSetup: ["server/testing/global-setup.ts"],
    // For two cores: many tests mostly wait, so a third worker saves a fifth of the time.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        resolve,
        test: {
          name: "unit",
          include: FOLDERS.map((folder) => `${folder}/**/*.test.ts`),
          exclude: ["**/node_modules/**", ...SLOW_TESTS, ...INTEGRATION_TESTS],
          ...isolation,
          ...timeouts,
        },
      },
      {
        resolve,
        test: {
          name: "integration",
          include: INTEGRATION_TESTS,
          provide: { transport: "embedded" },
          ...isolation,
          ...timeouts,
        },
      },
      {
        resolve,
        test: {
          name: "inngest mode",
          include: INNGEST_TESTS,
          provide: { transport: "http" },
          ...isolation,
          ...timeouts,
        },
      },
      {
        resolve,
        test: {
          name: "slow",
          include: [...SLOW_TESTS, ...PROPERTY_TESTS],
          env: { RUNS_FACTOR: "10" },
          provide: { transport: "embedded" },
          ...isolation,
          ...timeouts,
        },
      },
      {
        resolve,
        test: {
          name: "slow inngest mode",
          include: SLOW_INNGEST_TESTS,
          provide: { transport: "http" },
          ...isolation,
          ...timeouts,
        },
      },
    ],
  },
});
