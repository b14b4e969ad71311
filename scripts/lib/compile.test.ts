import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { compile } from "./compile.mjs";

type Compiled = Awaited<ReturnType<typeof compileInMemory>>;

async function compileInMemory() {
  const { metafile, outputFiles } = await compile({ write: false, metafile: true });
  if (!metafile || !outputFiles) throw new Error("Nothing was compiled");
  return { metafile, outputFiles };
}

let result: Compiled;
beforeAll(async () => {
  result = await compileInMemory();
});

test("compiled code imports only packages that a production install has", () => {
  const imported = Object.values(result.metafile.outputs)
    .flatMap(({ imports }) => imports)
    .filter(({ path, external }) => external && !isBuiltin(path))
    .map(({ path }) => /^(@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(imported).toContain("next");
  expect(imported.filter((name) => !(String(name) in dependencies))).toEqual([]);
});

test("modules of worker threads are compiled to the paths that the pool loads", () => {
  const written = new Set(Object.keys(result.metafile.outputs));
  const expected = readdirSync("server", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .flatMap((name) => [
      ...readFileSync(join("server", name), "utf8").matchAll(/"(server\/[^"]+)\.ts"/g),
    ])
    .map(([, path]) => `dist/${path}.mjs`);
  expect(expected).not.toEqual([]);
  expect(expected.filter((path) => !written.has(path))).toEqual([]);
});

test("each compiled program says in one line which Node it needs", async () => {
  // Inside the project, so that the programs find its packages.
  const folder = await mkdtemp("node_modules/.compiled-");
  try {
    await compile({ outdir: folder });
    const older = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })`;
    for (const name of [
      "server",
      ...["anchors", "ops", "rejudge", "score", "verify"].map((command) => `scripts/${command}`),
    ]) {
      const args = ["--import", `data:text/javascript,${older}`, `${folder}/${name}.mjs`, "--help"];
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
      const expected = "Node 20.20.2 is too old: Standing needs Node 24 or later.\n";
      expect([name, status, stdout, stderr]).toEqual([name, 2, "", expected]);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("compiled code finds the files that it loads from its own folder", () => {
  const files = new Set(result.outputFiles.map(({ path }) => path));
  const loaded = result.outputFiles
    .filter(({ path }) => path.endsWith(".mjs"))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/new URL\("(\.[^"]+)", import\.meta\.url\)/g)].map(
        ([, name = ""]) => new URL(name, `file://${path}`).pathname,
      ),
    );
  expect(loaded).not.toEqual([]);
  expect(loaded.filter((path) => !files.has(path))).toEqual([]);
});
