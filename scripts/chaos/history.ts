import { createWriteStream } from "node:fs";

/** A request and what came of it. `status` null: nobody knows, the connection broke or hung. */
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
  /** The raw answer, or what broke. */
  answer: string;
}

/** A fault, or anything else worth knowing later. */
export interface Note {
  kind: "note";
  at: number;
  what: string;
  about: string;
}

/** Everything that was asked, answered and done to the service, in order; appended as it happens. */
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
