/** A command cannot be done; the message is for the person at the terminal, nothing is a fault of the code. */
export class CommandError extends Error {
  name = "CommandError";
}

/** Gives up with one plain sentence. */
export function fail(sentence) {
  throw new CommandError(sentence);
}

/** Says why this command gives up. */
export function explain(error) {
  process.stderr.write(
    error instanceof CommandError ? `\n${error.message}\n` : `\n${error.stack}\n`,
  );
}

export function needNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  fail(`Node ${process.versions.node} is too old: Standing needs Node 20.19 or later.`);
}

/** Runs `work` and prints one line: what, how it came out, and how long it took. */
export async function stage(name, work) {
  const started = performance.now();
  // Some stages take a minute: who watches sees which.
  if (process.stdout.isTTY) process.stdout.write(`  ${name.padEnd(14)} …\r`);
  const result = await work();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(
    `  ${name.padEnd(14)} ${String(result ?? "ready").padEnd(52)} ${seconds.padStart(6)} s\n`,
  );
}
