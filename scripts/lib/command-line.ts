import { type ParseArgsConfig, parseArgs } from "node:util";
import { CommandError } from "./say.mjs";

/**
 * Parses a command line by `config`, as `parseArgs` of `node:util` does. Throws a `CommandError`
 * that names the error and shows `usage`.
 */
export function parseCommandLine<T extends Omit<ParseArgsConfig, "args">>(
  args: string[],
  usage: string,
  config: T,
): ReturnType<typeof parseArgs<T & { args: string[] }>> {
  try {
    return parseArgs({ ...config, args });
  } catch (error) {
    const [reason] = error instanceof Error ? error.message.split(". ") : [];
    throw new CommandError(`${reason}.\n${usage}`);
  }
}
