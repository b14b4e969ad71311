import { readFileSync } from "node:fs";
import { BenchError } from "./bench-error";

/** Returns the text of a file. Throws a `BenchError` that says why it cannot be read. */
export function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : error;
    const why = code === "ENOENT" ? "there is no such file" : String(code);
    throw new BenchError(`Cannot read ${file}: ${why}.`);
  }
}
