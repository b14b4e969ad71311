import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./children.mjs";
import { compressAll } from "./compress.mjs";
import { fail, stage } from "./say.mjs";

const SOURCES = [
  "app",
  "components",
  "server",
  "public",
  "next.config.ts",
  "postcss.config.mjs",
  "tsconfig.json",
  "package-lock.json",
];
/** What a finished build was made of, and which files it has. */
const STAMP = ".next/standing.json";
/** The parts of a build that only a build writes. */
const BUILT = [
  ".next/BUILD_ID",
  ".next/required-server-files.json",
  ".next/server",
  ".next/static",
];

/** Builds the pages unless the build is whole and of exactly these sources. */
export function ensureBuild() {
  return stage("Pages", async () => {
    const sources = hashOf(SOURCES.flatMap(files));
    if (isBuiltOf(sources)) return "built already";
    // First, so that a build which does not end is never taken for a whole one.
    rmSync(STAMP, { force: true });
    const { ok, said } = await run(process.execPath, ["node_modules/next/dist/bin/next", "build"], {
      env: { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    });
    if (!ok) {
      process.stderr.write(said);
      fail("Building the pages failed: the compiler's words are above.");
    }
    await compressAll(files(".next/static"));
    writeFileSync(STAMP, JSON.stringify({ sources, built: BUILT.flatMap(files) }));
    return "built";
  });
}

function isBuiltOf(sources) {
  try {
    const stamp = JSON.parse(readFileSync(STAMP, "utf8"));
    return stamp.sources === sources && stamp.built.every((path) => existsSync(path));
  } catch {
    return false;
  }
}

function hashOf(paths) {
  const hash = createHash("sha256");
  for (const path of paths.sort()) {
    hash.update(`${path}\0`).update(readFileSync(path)).update("\0");
  }
  return hash.digest("hex");
}

function files(path) {
  if (!existsSync(path)) return [];
  try {
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
      const at = join(path, entry.name);
      if (entry.isDirectory()) return files(at);
      return /\.test\.tsx?$/.test(entry.name) ? [] : [at];
    });
  } catch {
    return [path];
  }
}
