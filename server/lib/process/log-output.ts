import fs from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";

const [open, write, close] = [promisify(fs.open), promisify(fs.write), promisify(fs.close)];
/** More characters than this do not wait for a slow disk or reader. */
const MAX_PENDING = 4 * 1024 * 1024;
const BUSY_RETRY_MS = 100;
const RETRY_MS = 1_000;
/** The level in pino's lines. */
const WARN = 40;

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
  #pending = "";
  #pendingLines = 0;
  #droppedLines = 0;
  #isFailing = false;
  /** Whether the file ends within a line. */
  #isCut = false;
  #fd: number | undefined;
  #writing: Promise<void> | null = null;
  #retry: NodeJS.Timeout | undefined;

  constructor(private readonly target: string | number) {}

  get state(): LogState {
    return { status: this.#isFailing ? "unavailable" : "ok", droppedLines: this.#droppedLines };
  }

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
      await this.#append(batch).then(
        () => {
          this.#isFailing = false;
        },
        () => this.#drop(lines),
      );
    }
    this.#writing = null;
  }

  async #append(batch: string): Promise<void> {
    const { target } = this;
    this.#fd ??= typeof target === "number" ? target : await open(target, "a");
    let rest = Buffer.from(this.#isCut ? `\n${batch}` : batch);
    try {
      while (rest.length > 0) {
        rest = rest.subarray(await this.#writeSome(this.#fd, rest));
        this.#isCut = rest.length > 0;
      }
    } catch (error) {
      // The file may have been deleted to make room: the next attempt creates it.
      if (this.#fd !== target) close(this.#fd).catch(() => {});
      this.#fd = undefined;
      throw error;
    }
  }

  /** Returns the number of bytes written; none if a pipe's reader is behind. */
  async #writeSome(fd: number, bytes: Buffer): Promise<number> {
    try {
      return (await write(fd, bytes)).bytesWritten;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      await pause(BUSY_RETRY_MS);
      return 0;
    }
  }

  #drop(lines: number): void {
    this.#isFailing = true;
    this.#droppedLines += lines;
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      this.#reportLoss();
    }, RETRY_MS).unref();
  }

  #reportLoss(): void {
    const line = { level: WARN, time: new Date().toISOString(), droppedLines: this.#droppedLines };
    this.write(`${JSON.stringify({ ...line, msg: "Log lines could not be written" })}\n`);
  }
}
