import { readFile } from "node:fs/promises";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { beforeAll, expect, test } from "vitest";
import { ensureCompiled } from "@/scripts/lib/build.mjs";
import { COMPILED } from "@/scripts/lib/compile.mjs";

let tarball: Buffer;
beforeAll(async () => {
  await ensureCompiled();
  tarball = await readFile(`${COMPILED}/sdk.tgz`);
});

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
