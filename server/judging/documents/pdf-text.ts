import { Worker } from "node:worker_threads";
import { storable } from "@/server/judging/storable";
import { takeTurn } from "@/server/lib/turns";

type PdfFailure = "encrypted" | "broken" | "no-text" | "too-long" | "memory" | "timeout";

export type PdfText =
  | { ok: true; text: string }
  | { ok: false; code: PdfFailure; reason: string; retryable: boolean };

const LIMITS = {
  timeoutMs: 15_000,
  heapMb: 192,
  /** All that is allocated outside the heap while one file is read, what is freed again included. */
  maxBytes: 96 * 1024 * 1024,
  maxText: 1024 * 1024,
};
const OUT_OF_MEMORY = 70;

/**
 * The text of a PDF, pages apart by an empty line. The file is a stranger's: it is read in a thread
 * of its own, without the environment, with limits of time, memory and length; one at a time in this
 * process. Never throws: `reason` is plain English that says nothing of the file's content.
 */
export async function pdfText(
  bytes: Uint8Array,
  limits: Partial<typeof LIMITS> = {},
): Promise<PdfText> {
  const giveBack = await takeTurn("pdf");
  try {
    const read = await readInThread(bytes, { ...LIMITS, ...limits });
    if ("text" in read) return { ok: true, text: storable(read.text) };
    const reason = REASONS[read.failure];
    return { ok: false, code: read.failure, reason, retryable: read.failure === "timeout" };
  } finally {
    giveBack();
  }
}

type Read = { text: string } | { failure: PdfFailure };

function readInThread(bytes: Uint8Array, limits: typeof LIMITS): Promise<Read> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL("./pdf-worker.mjs", import.meta.url), {
      workerData: {
        data: new Uint8Array(bytes),
        maxText: limits.maxText,
        maxBytes: limits.maxBytes,
        outOfMemory: OUT_OF_MEMORY,
      },
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMb, maxYoungGenerationSizeMb: 16 },
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    let read: Read | undefined;
    /** The first word counts: ending the thread makes it say more. */
    const end = (first: Read) => {
      read ??= first;
      clearTimeout(timer);
      void worker.terminate();
    };
    const timer = setTimeout(() => end({ failure: "timeout" }), limits.timeoutMs);
    worker.on("message", end);
    worker.on("error", (error: NodeJS.ErrnoException) =>
      end({ failure: error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "memory" : "broken" }),
    );
    // Not before the thread is gone: whoever reads next has the memory for himself.
    worker.on("exit", (code) => {
      clearTimeout(timer);
      resolve(read ?? { failure: code === OUT_OF_MEMORY ? "memory" : "broken" });
    });
  });
}

/** Whether `reason` says that a file went over the limits, and not that it is broken or empty. */
export function isOverLimits(reason: string): boolean {
  return [REASONS["too-long"], REASONS.memory, REASONS.timeout].includes(reason);
}

const REASONS: Record<PdfFailure, string> = {
  encrypted: "The PDF is protected by a password.",
  broken: "The PDF is broken and cannot be read.",
  "no-text": "The PDF holds no text; pictures of text cannot be judged.",
  "too-long": "The text of the PDF is longer than 1,048,576 characters.",
  memory: "The PDF takes too much memory to read.",
  timeout: "The PDF takes too long to read.",
};
