import { readFileSync } from "node:fs";
import { z } from "zod";
import { CommandError } from "@/scripts/lib/command-error.mjs";
import { categorySchema, verdictSchema } from "@/server/lib/schema";

/** Returns the text of a file. Throws a `CommandError` that says why it cannot be read. */
export function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : error;
    const why = code === "ENOENT" ? "there is no such file" : String(code);
    throw new CommandError(`Cannot read ${file}: ${why}.`);
  }
}

const text = z.string().min(1);

/** One line of a labelled set. Judges never see the fields after `label`. */
const labelledCaseSchema = z.strictObject({
  id: text,
  category: categorySchema,
  task: text,
  /** May be empty, which fails too. */
  deliverable: z.string(),
  label: verdictSchema,
  defect: text.nullable().optional(),
  technique: text.optional(),
  language: text.optional(),
  reason: text.optional(),
});
export type LabelledCase = z.infer<typeof labelledCaseSchema>;

/** Whether the deliverable addresses the judge. Sets of others only say so in the id. */
export const isAttack = ({ id, technique }: LabelledCase): boolean =>
  technique !== undefined || id.startsWith("att-");

/**
 * Returns the cases of a JSON Lines file. Throws a `CommandError` with the file and the invalid line.
 */
export function readLabelledSet(file: string): LabelledCase[] {
  const cases = readText(file)
    .split("\n")
    .flatMap((line, index) =>
      line.trim() === "" ? [] : [parseCase(line, `${file}, line ${index + 1}`)],
    );
  if (cases.length === 0) throw new CommandError(`${file} has no cases.`);
  return cases;
}

function parseCase(line: string, where: string): LabelledCase {
  try {
    return labelledCaseSchema.parse(JSON.parse(line));
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw new CommandError(`${where}: not JSON.`);
    const [issue] = error.issues;
    const member = issue?.path.length ? `${issue.path.join(".")}: ` : "";
    throw new CommandError(`${where}: ${member}${issue?.message}.`);
  }
}
