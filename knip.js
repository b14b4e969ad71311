import { readFileSync } from "node:fs";

/** All folders import these; they are listed apart so that a start need not install them. */
const { knip: _, ...tools } = JSON.parse(
  readFileSync("packages/tools/package.json", "utf8"),
).devDependencies;

export default {
  workspaces: {
    ".": {
      entry: [
        "app/**/{page,layout,route,error,not-found,loading}.tsx",
        "app/**/route.ts",
        "server.ts",
        "scripts/*.{ts,mjs}",
        "scripts/chaos/skew.mjs",
        "server/lib/process/worker-thread.mjs",
        "server/judging/checks/code/sandbox/*.mjs",
        "server/testing/process/worker-tasks.ts",
        "e2e/**/*.ts",
        "bench/*.ts",
        "bench/soak/report-memory.mjs",
      ],
      project: ["**/*.{ts,tsx,mjs}", "!packages/**"],
      // Enabled by hand, because the packages are listed in packages/tools.
      vitest: true,
      playwright: true,
      drizzle: true,
    },
    "packages/tools": {},
    "packages/sdk": {
      entry: ["tests/*.test.ts"],
      project: ["{src,tests}/**/*.ts"],
      vitest: true,
    },
  },
  ignoreDependencies: [
    ...Object.keys(tools),
    "tailwindcss",
    "@walletconnect/ethereum-provider",
    "@openzeppelin/contracts",
    "@fontsource-variable/geist-mono",
    "@fontsource-variable/instrument-sans",
    "@fontsource/instrument-sans",
    "@fontsource/newsreader",
    "@fontsource/source-serif-4",
  ],
  ignoreBinaries: ["biome", "cspell", "drizzle-kit", "mkfifo", "vitest"],
  ignoreExportsUsedInFile: true,
};
