import { type ParseArgsConfig, parseArgs } from "node:util";
import { StartupError } from "@/server/lib/errors";
import { toChecksumAddress } from "@/server/lib/wallet";
import { CommandError } from "./command-error.mjs";
import { offerHelp } from "./help.mjs";

/**
 * Parses a command line by `config`, as `parseArgs` of `node:util` does. `--help` prints `usage` and
 * exits, unless the config has that option. Throws a `CommandError` that names the error and shows
 * `usage`.
 */
export function parseCommandLine<T extends Omit<ParseArgsConfig, "args">>(
  args: string[],
  usage: string,
  config: T,
): ReturnType<typeof parseArgs<T & { args: string[] }>> {
  if (!config.options?.help) offerHelp(usage, args);
  try {
    return parseArgs({ ...config, args });
  } catch (error) {
    const [reason] = error instanceof Error ? error.message.split(". ") : [];
    throw new CommandError(`${reason}.\n${usage}`);
  }
}

/** Parses an address in any spelling to EIP-55 form. Throws a `CommandError`. */
export function parseAddress(given: string): `0x${string}` {
  try {
    return toChecksumAddress(given);
  } catch {
    throw new CommandError(`${given} is not an address: 0x and 40 hexadecimal characters.`);
  }
}

interface CommandOptions {
  /** Errors of this class mean that the command was refused: exit code 1. */
  refusal?: new (
    message: string,
  ) => Error;
  /** Describes further expected errors in one sentence; returns null for bugs. */
  describeError?: (error: unknown) => string | null;
}

type Main = (args: string[]) => number | Promise<number>;

/** Runs this process's command and sets the exit code, as `getExitCode` returns it. */
export async function runMain(main: Main, options: CommandOptions = {}): Promise<void> {
  process.exitCode = await getExitCode(main, process.argv.slice(2), options);
}

/**
 * Runs a command. Resolves to the exit code: the one that `main` resolves to, or 2 if it throws. Prints
 * expected errors without their stack.
 */
export async function getExitCode(
  main: Main,
  args: string[],
  { refusal, describeError = () => null }: CommandOptions = {},
): Promise<number> {
  try {
    return await main(args);
  } catch (error) {
    const isRefused = refusal !== undefined && error instanceof refusal;
    const isExpected = isRefused || error instanceof CommandError || error instanceof StartupError;
    console.error(isExpected ? error.message : (describeError(error) ?? error));
    return isRefused ? 1 : 2;
  }
}
