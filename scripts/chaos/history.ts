import { createWriteStream } from "node:fs";

/** A request and its result. `status` is null if the connection broke or hung. */
export interface Call {
  kind: "call";
  at: number;
  ms: number;
  actor: string;
  app: string;
  method: string;
  path: string;
  idempotencyKey?: string;
  request?: unknown;
  status: number | null;
  /** The raw response, or the connection error. */
  answer: string;
}

/** A fault or another event that may explain a violation. */
export interface Note {
  kind: "note";
  at: number;
  what: string;
  about: string;
}

/** Every request, response and fault in order, appended as it happens. */
export interface History {
  calls: Call[];
  notes: Note[];
  called(call: Omit<Call, "kind">): void;
  note(what: string, about?: string): void;
  file: string;
  close(): Promise<void>;
}

export function openHistory(file: string): History {
  const stream = createWriteStream(file, { flags: "a" });
  const calls: Call[] = [];
  const notes: Note[] = [];
  const write = (entry: Call | Note) => void stream.write(`${JSON.stringify(entry)}\n`);
  return {
    calls,
    notes,
    called(call) {
      const entry = { kind: "call" as const, ...call };
      calls.push(entry);
      write(entry);
    },
    note(what, about = "") {
      const entry = { kind: "note" as const, at: Date.now(), what, about };
      notes.push(entry);
      write(entry);
    },
    file,
    close: () => new Promise((closed) => stream.end(() => closed())),
  };
}
