import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { afterAll, beforeAll, expect, test } from "vitest";

const run = promisify(execFile);
const FOLDER = join(import.meta.dirname, "..");

let packed: string;
let tarball: Buffer;
beforeAll(async () => {
  packed = await mkdtemp(join(tmpdir(), "standing-sdk-"));
  // Builds first, as publishing does.
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", packed], {
    cwd: FOLDER,
  });
  const file = /standing-sdk-[\d.]+\.tgz/.exec(stdout)?.[0] ?? "";
  tarball = await readFile(join(packed, file));
});
afterAll(() => rm(packed, { recursive: true, force: true }));

test("the package is publishable", async () => {
  const data = tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.byteLength);
  const { messages } = await publint({ pack: { tarball: data as ArrayBuffer }, strict: true });
  expect(messages).toEqual([]);
});

/** How TypeScript resolves packages in projects that can import ES modules. */
const ESM_RESOLUTIONS = ["node16-esm", "bundler"];

test("its types resolve wherever ES modules do", async () => {
  const analysis = await checkPackage(createPackageFromTarballData(tarball));
  if (!analysis.types) throw new Error("the package has no types");
  const problems = analysis.problems.filter(
    (problem) => !("resolutionKind" in problem) || ESM_RESOLUTIONS.includes(problem.resolutionKind),
  );
  expect(problems).toEqual([]);
});
