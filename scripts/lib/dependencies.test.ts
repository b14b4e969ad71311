import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

interface LockedPackage {
  version?: string;
  integrity?: string;
  resolved?: string;
  dev?: boolean;
  os?: string[];
  optionalDependencies?: Record<string, string>;
}

const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8"));
const packages: Record<string, LockedPackage> = readJson("package-lock.json").packages;
const next = packages["node_modules/next"];
const compilers = Object.entries(next?.optionalDependencies ?? {}).filter(([name]) =>
  name.startsWith("@next/swc-"),
);

test("the lock file names the tarball of each package, so that npm asks for nothing else", () => {
  const locked = Object.entries(packages).filter(([, { integrity }]) => integrity);
  expect(locked.length).toBeGreaterThan(1_000);
  expect(locked.filter(([, { resolved }]) => !resolved).map(([path]) => path)).toEqual([]);
});

describe("Next's compiler", () => {
  test("is installed for development in Next's version, for each of its platforms", () => {
    expect(compilers.length).toBeGreaterThan(5);
    expect(readJson("packages/next-compiler/package.json").optionalDependencies).toEqual(
      Object.fromEntries(compilers),
    );
    for (const [name, version] of compilers) {
      expect(packages[`node_modules/${name}`], name).toMatchObject({ version, dev: true });
    }
  });

  test("is replaced below Next by a package that npm skips", () => {
    for (const [name] of compilers) {
      expect(packages[`node_modules/next/node_modules/${name}`]?.os, name).toEqual(["aix"]);
    }
  });
});

test("what the build bundles and what tests use is not installed for production", () => {
  const installed = Object.keys(packages).filter((path) => !packages[path]?.dev);
  const { devDependencies } = readJson("package.json");
  const tools = readJson("packages/tools/package.json").devDependencies;
  const names = [...Object.keys(devDependencies), ...Object.keys(tools)].filter(
    (name) => !name.startsWith("@standing/"),
  );
  // Packages of the service depend on these, too.
  const shared = ["@types/node", "@types/pg"];
  expect(names.filter((name) => installed.includes(`node_modules/${name}`)).sort()).toEqual(shared);
});
