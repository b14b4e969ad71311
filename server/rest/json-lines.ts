/** The media type of JSON Lines (https://jsonlines.org): a JSON value on each line, in UTF-8. */
export const JSON_LINES = "application/jsonl";

/**
 * A body of JSON Lines from batches of values. The first batch is there before this resolves, so
 * that what fails at once is refused as usual. Each chunk holds whole lines; the next batch is asked
 * for when the last one was taken, and `return` ends the asking.
 * @param onFault Told what broke the stream off later.
 */
export async function jsonLines(
  batches: AsyncIterable<readonly unknown[]>,
  onFault: (error: unknown) => void,
): Promise<AsyncIterableIterator<string>> {
  const source = batches[Symbol.asyncIterator]();
  let first: IteratorResult<readonly unknown[]> | null = await source.next();
  const lines: AsyncIterableIterator<string> = {
    async next() {
      try {
        const { done, value } = first ?? (await source.next());
        first = null;
        return done ? { done, value: undefined } : { done: false, value: linesOf(value) };
      } catch (error) {
        onFault(error);
        throw error;
      }
    },
    async return() {
      await source.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return lines;
    },
  };
  return lines;
}

const linesOf = (values: readonly unknown[]) =>
  values.map((value) => `${JSON.stringify(value)}\n`).join("");
