import fs from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";

const [open, write, close] = [promisify(fs.open), promisify(fs.write), promisify(fs.close)];
/** More characters than this do not wait for a slow disk or reader. */
const MAX_PENDING = 4 * 1024 * 1024;
const BUSY_RETRY_MS = 100;
const RETRY_MS = 1_000;

export interface LogState {
  status: "ok" | "unavailable";
  /** Lines that could not be written since the start of the process. */
  droppedLines: number;
}

/**
 * Appends log lines to a file, or to an open descriptor, in the background. Lines that cannot be
 * written are dropped and counted: a full disk must not end the service, which pino's own
 * destination does. Every later line is another attempt, and so is a line about the loss.
 */
export class LogOutput {
  readonly state: LogState = { status: "ok", droppedLines: 0 };
  #pending = "";
  #pendingLines = 0;
  /** Whether the file ends within a line. */
  #isCut = false;
  #fd: number | undefined;
  #writing: Promise<void> | null = null;
  #retry: NodeJS.Timeout | undefined;

  constructor(private readonly target: string | number) {}

  write(line: string): void {
    if (this.#pending.length + line.length > MAX_PENDING) {
      this.#drop(1);
      return;
    }
    this.#pending += line;
    this.#pendingLines += 1;
    this.#writing ??= this.#writePending();
  }

  /** Calls `done` once every line so far is written or dropped. */
  flush(done: () => void): void {
    void Promise.resolve(this.#writing).then(done);
  }

  async #writePending(): Promise<void> {
    while (this.#pending) {
      const [batch, lines] = [this.#pending, this.#pendingLines];
      this.#pending = "";
      this.#pendingLines = 0;
      try {
        await this.#append(batch);
        this.state.status = "ok";
      } catch {
        this.#drop(lines);
      }
    }
    this.#writing = null;
  }

  async #append(batch: string): Promise<void> {
    const { target } = this;
    this.#fd ??= typeof target === "number" ? target : await open(target, "a");
    let rest = Buffer.from(this.#isCut ? `\n${batch}` : batch);
    try {
      while (rest.length > 0) {
        const { bytesWritten } = await write(this.#fd, rest).catch(waitForReader);
        rest = rest.subarray(bytesWritten);
        this.#isCut = rest.length > 0;
      }
    } catch (error) {
      // The file may have been deleted to make room: the next attempt creates it.
      if (this.#fd !== target) close(this.#fd).catch(() => {});
      this.#fd = undefined;
      throw error;
    }
  }

  #drop(lines: number): void {
    this.state.status = "unavailable";
    this.state.droppedLines += lines;
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      const { droppedLines } = this.state;
      // A warning, as pino writes it.
      const line = { level: 40, time: new Date(), droppedLines, msg: "Log lines were dropped" };
      this.write(`${JSON.stringify(line)}\n`);
    }, RETRY_MS).unref();
  }
}

/** Pauses if a write failed because the reader of a pipe is behind. */
async function waitForReader(error: NodeJS.ErrnoException): Promise<{ bytesWritten: 0 }> {
  if (error.code !== "EAGAIN") throw error;
  await pause(BUSY_RETRY_MS);
  return { bytesWritten: 0 };
}
