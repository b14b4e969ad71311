import type { Writable } from "node:stream";

const WIDTH = 24;

export interface Progress {
  /** Counts one more as done. */
  step(): void;
  end(): void;
}

/**
 * Shows the progress of a part of the run: a moving bar on a terminal, otherwise a plain line at
 * every tenth.
 */
export function showProgress(
  out: Writable & { isTTY?: boolean },
  name: string,
  total: number,
): Progress {
  const started = performance.now();
  let done = 0;
  const say = () => {
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    return `${name}: ${done} of ${total} (${seconds} s)`;
  };
  return {
    step() {
      done += 1;
      if (out.isTTY) out.write(`\r${bar(done / total)} ${say()}`);
      else if (tenth(done, total) > tenth(done - 1, total)) out.write(`${say()}\n`);
    },
    end() {
      if (out.isTTY && done > 0) out.write("\n");
    },
  };
}

const tenth = (done: number, total: number) => Math.floor((done * 10) / total);

function bar(share: number): string {
  const full = Math.round(share * WIDTH);
  return `[${"#".repeat(full)}${".".repeat(WIDTH - full)}]`;
}
