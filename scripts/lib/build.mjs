import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./child-processes.mjs";
import { fail } from "./command-error.mjs";
import { COMPILED, compile } from "./compile.mjs";
import { compressAll } from "./compress.mjs";
import { printStage } from "./print-stage.mjs";

/**
 * The pages, which Next builds. `stamp` is a file written after a complete build, with a hash of
 * `sources` and a list of `outputs`.
 */
const PAGES = {
  name: "Pages",
  sources: [
    "app",
    "components",
    "contracts",
    "server",
    "public",
    "next.config.ts",
    "postcss.config.mjs",
    "tsconfig.json",
    "package-lock.json",
  ],
  /** Unlike the rest of `.next`, written only by a build. */
  outputs: [".next/BUILD_ID", ".next/required-server-files.json", ".next/server", ".next/static"],
  stamp: ".next/standing.json",
  build: buildPages,
};
/** Types of the API that a build writes, so not a source. */
const GENERATED = "packages/sdk/src/openapi.ts";
/** The server with its commands, and the SDK, which it serves. */
const SERVER = {
  name: "Server",
  sources: [
    "server.ts",
    "components/site",
    "contracts",
    "packages/sdk/package.json",
    "packages/sdk/README.md",
    "packages/sdk/src",
    "packages/sdk/tests",
    "scripts",
    "server",
    "tsconfig.json",
    "package-lock.json",
  ],
  outputs: [COMPILED],
  stamp: `${COMPILED}/standing.json`,
  build: buildServer,
};

/** Builds pages and server, each only if its build is incomplete or its sources changed. */
export async function ensureBuild() {
  await ensurePart(PAGES);
  await ensureCompiled();
}

/** Compiles the server and the operator's commands, if their sources changed. */
export const ensureCompiled = () => ensurePart(SERVER);

function ensurePart(part) {
  return printStage(part.name, async () => {
    const sourcesHash = hashFiles(part.sources.flatMap(listFiles));
    if (isBuilt(part, sourcesHash)) return "built already";
    // Removed first, so that an interrupted build never counts as complete.
    rmSync(part.stamp, { force: true });
    await part.build();
    writeFileSync(
      part.stamp,
      JSON.stringify({ sourcesHash, outputs: part.outputs.flatMap(listFiles) }),
    );
    return "built";
  });
}

async function buildPages() {
  const { ok, output } = await run("node", ["node_modules/next/dist/bin/next", "build"], {
    env: { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
  });
  if (!ok) {
    process.stderr.write(output);
    fail("Building the pages failed: see the compiler's errors above.");
  }
  await compressAll(listFiles(".next/static"));
}

async function buildServer() {
  // Chunk names depend on their content, so chunks of earlier builds would pile up.
  rmSync(COMPILED, { recursive: true, force: true });
  try {
    await compile();
  } catch (error) {
    fail(`Compiling the server failed:\n${error.message}`);
  }
  await packSdk();
}

/** Builds the SDK and packs it into `dist/sdk.tgz`, which `GET /sdk.tgz` serves. */
async function packSdk() {
  const { ok, output } = await run("npm", [
    ...["pack", "./packages/sdk", "--pack-destination", COMPILED],
    // The package's `prepack` builds it, whatever npm's settings say.
    "--ignore-scripts=false",
  ]);
  const file = readdirSync(COMPILED).find((name) => name.endsWith(".tgz"));
  if (!ok || !file) fail(`Packing the SDK failed:\n${output}`);
  renameSync(join(COMPILED, file), join(COMPILED, "sdk.tgz"));
}

function isBuilt({ stamp }, sourcesHash) {
  try {
    const found = JSON.parse(readFileSync(stamp, "utf8"));
    return found.sourcesHash === sourcesHash && found.outputs.every((path) => existsSync(path));
  } catch {
    return false;
  }
}

function hashFiles(paths) {
  const hash = createHash("sha256");
  for (const path of paths.sort()) {
    hash.update(`${path}\0`).update(readFileSync(path)).update("\0");
  }
  return hash.digest("hex");
}

/** Returns the files below a folder, or the path itself if it is a file; without tests. */
function listFiles(path) {
  if (!existsSync(path)) return [];
  try {
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
      const file = join(path, entry.name);
      if (entry.isDirectory()) return listFiles(file);
      return /\.test\.tsx?$/.test(entry.name) || file === GENERATED ? [] : [file];
    });
  } catch {
    return [path];
  }
}
