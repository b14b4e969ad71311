import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } },
  test: {
    include: [
      "server/**/*.test.ts",
      "contracts/**/*.test.ts",
      "scripts/**/*.test.ts",
      "components/**/*.test.ts",
      "bench/**/*.test.ts",
    ],
    globalSetup: ["server/testing/global-setup.ts"],
    // Two cores: more workers only fight over Postgres and the chain node.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
