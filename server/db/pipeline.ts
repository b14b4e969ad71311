import type { Transaction } from "@/server/lib/context";

/** A statement that starts when it is executed: of the driver, or of drizzle. */
interface Statement {
  execute(): PromiseLike<unknown>;
}

declare const inOrder: unique symbol;

/** A result whose statements were all started before the promise was returned. */
export type Started<T> = Promise<T> & { readonly [inOrder]: true };

/** Returns a statement to start, statements that are started, or nothing. */
type Step = (tx: Transaction) => Statement | Started<unknown> | null | undefined | false;

type Result<Returned> = Returned extends Statement
  ? Awaited<ReturnType<Returned["execute"]>>
  : Awaited<Returned>;

type Results<Steps extends Step[]> = { [K in keyof Steps]: Result<ReturnType<Steps[K]>> };

/**
 * Starts the statements of `steps` in this order, and waits for no result before the last is started:
 * they share a round trip. PostgreSQL runs them in the order of their start. A function that awaits its
 * statement is no step, because awaiting starts it later; it must return the statement or a pipeline.
 *
 * Resolves to the results in the same order, or to what `finish` makes of them. If some steps fail,
 * throws the error of the first of them, once all have ended: after an error, PostgreSQL refuses the
 * later statements of a transaction.
 */
export function pipeline<Steps extends Step[], R = Results<Steps>>(
  tx: Transaction,
  steps: [...Steps],
  finish?: (results: Results<Steps>) => R | Promise<R>,
): Started<R> {
  const started = steps.map(async (step) => {
    const result = step(tx);
    return isStatement(result) ? result.execute() : result;
  });
  const results = Promise.allSettled(started).then((settled) => {
    const failed = settled.find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
    return settled.map((one) => one.status === "fulfilled" && one.value) as Results<Steps>;
  });
  return results.then(finish) as Started<unknown> as Started<R>;
}

const isStatement = (result: unknown): result is Statement =>
  typeof (result as Partial<Statement> | null | undefined)?.execute === "function";

/**
 * Makes a step of a function that starts its statements when it pleases, after those of the steps
 * before. No later step may rely on them.
 */
export const unordered = <T>(result: Promise<T>): Started<T> => result as Started<T>;
