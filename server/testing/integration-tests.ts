import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** Calls that start PostgreSQL, a chain or the service, or use the run's PostgreSQL. */
const STARTS_A_SERVICE = /\b(inject|startPostgres|startAnvil|startServiceProcess)\(/;
/** Calls in a test that start a program, which takes longer than most unit tests. */
const STARTS_A_PROGRAM = /\b(spawn|fork|execFile|executeCode)\(/;
/** Imports of values; types are gone when a test runs. */
const IMPORT = /^(?:import (?!type\b)|} )[^;]*?from "((?:@|\.\.?)\/[^"]+)"/gm;

/**
 * Returns the paths of the test files below `folders` that need PostgreSQL, a chain or a running
 * service (those that start one, or import a file that does), and of those that start programs
 * themselves. All others are unit tests.
 */
export function findIntegrationTests(root: string, folders: string[]): string[] {
  const known = new Map<string, boolean>();
  const needsService = (file: string): boolean => {
    const found = known.get(file);
    if (found !== undefined) return found;
    known.set(file, false);
    const text = readFileSync(join(root, file), "utf8");
    const needs =
      STARTS_A_SERVICE.test(text) ||
      [...text.matchAll(IMPORT)].some(([, path = ""]) => {
        const imported = resolve(root, file, path);
        return imported !== null && needsService(imported);
      });
    known.set(file, needs);
    return needs;
  };
  return folders
    .flatMap((folder) => testFiles(join(root, folder)))
    .map((file) => relative(root, file))
    .filter((file) => startsProgram(root, file) || needsService(file))
    .sort();
}

const startsProgram = (root: string, file: string) =>
  STARTS_A_PROGRAM.test(readFileSync(join(root, file), "utf8"));

function testFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : testFiles(path);
    return entry.name.endsWith(".test.ts") ? [path] : [];
  });
}

/**
 * Returns the path below `root` of the TypeScript file that an import names; null for any other.
 */
function resolve(root: string, from: string, path: string): string | null {
  const target = path.startsWith("@/") ? path.slice(2) : join(from, "..", path);
  const file = `${target}.ts`;
  return existsSync(join(root, file)) ? file : null;
}
