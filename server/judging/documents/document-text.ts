import { Worker } from "node:worker_threads";
import { toStorableText } from "@/server/judging/canonicalise";
import type { QueueKey } from "@/server/lib/process/fair-queue";
import { acquireMutex } from "@/server/lib/process/mutex";
import { inWorker } from "@/server/lib/process/worker-pool";

const visibleTextInWorker = inWorker<[string], string>(
  "server/judging/documents/visible-text.ts",
  "extractVisibleText",
);

export const isHtml = (mediaType: string | null): boolean =>
  mediaType === "text/html" || mediaType === "application/xhtml+xml";

/** Returns the text of a document that a reader sees, or null if extracting it exceeds the limits. */
export async function extractText(
  mediaType: string | null,
  content: string,
  queueKey: QueueKey | undefined,
): Promise<string | null> {
  if (!isHtml(mediaType)) return content;
  const visible = await visibleTextInWorker.for(queueKey)(content);
  return visible.ok ? visible.value : null;
}

type PdfFailure = "encrypted" | "broken" | "no-text" | "too-long" | "memory" | "timeout";

export type PdfText =
  | { ok: true; text: string }
  | { ok: false; code: PdfFailure; reason: string; retryable: boolean };

const LIMITS = {
  timeoutMs: 15_000,
  heapMb: 192,
  /** Limit on all allocations outside the heap while one file is read, including freed ones. */
  maxBytes: 96 * 1024 * 1024,
  maxText: 1024 * 1024,
};
const OUT_OF_MEMORY_EXIT_CODE = 70;

/**
 * Extracts the text of a PDF, with an empty line between pages. The file is untrusted: it is read
 * in a separate thread, without the environment, with limits on time, memory and length, one file
 * at a time per process. Never throws. `reason` is plain English and reveals nothing about the
 * file's content.
 */
export async function extractPdfText(
  bytes: Uint8Array,
  { queueKey, ...limits }: Partial<typeof LIMITS> & { queueKey?: QueueKey | undefined } = {},
): Promise<PdfText> {
  const release = await acquireMutex("pdf", queueKey);
  try {
    const result = await readInThread(bytes, { ...LIMITS, ...limits });
    if ("text" in result) return { ok: true, text: toStorableText(result.text) };
    const { failure: code } = result;
    return { ok: false, code, reason: REASONS[code], retryable: code === "timeout" };
  } finally {
    release();
  }
}

type ReadResult = { text: string } | { failure: PdfFailure };

function readInThread(bytes: Uint8Array, limits: typeof LIMITS): Promise<ReadResult> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL("./pdf-worker.mjs", import.meta.url), {
      workerData: {
        data: new Uint8Array(bytes),
        maxText: limits.maxText,
        maxBytes: limits.maxBytes,
        outOfMemoryExitCode: OUT_OF_MEMORY_EXIT_CODE,
      },
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMb, maxYoungGenerationSizeMb: 16 },
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    let result: ReadResult | undefined;
    // Only the first result counts, because terminating the thread emits further events.
    const end = (first: ReadResult) => {
      result ??= first;
      clearTimeout(timer);
      void worker.terminate();
    };
    const timer = setTimeout(() => end({ failure: "timeout" }), limits.timeoutMs);
    worker.on("message", end);
    worker.on("error", (error: NodeJS.ErrnoException) =>
      end({ failure: error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "memory" : "broken" }),
    );
    // Resolve only after the thread has exited, so that the next read has the memory available.
    worker.on("exit", (code) => {
      clearTimeout(timer);
      resolve(result ?? { failure: code === OUT_OF_MEMORY_EXIT_CODE ? "memory" : "broken" });
    });
  });
}

/**
 * Returns whether `reason` says that a file exceeded the limits, rather than being broken or empty.
 */
export function isOverLimits(reason: string): boolean {
  return [REASONS["too-long"], REASONS.memory, REASONS.timeout].includes(reason);
}

const REASONS: Record<PdfFailure, string> = {
  encrypted: "The PDF is protected by a password.",
  broken: "The PDF is broken and cannot be read.",
  "no-text": "The PDF contains no text; pictures of text cannot be judged.",
  "too-long": "The text of the PDF is longer than 1,048,576 characters.",
  memory: "The PDF takes too much memory to read.",
  timeout: "The PDF takes too long to read.",
};
