/** Streams `parts` as UTF-8: reads one when the reader requests it, and stops when it cancels. */
export function createByteStream(
  parts: AsyncIterableIterator<string>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const utf8 = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(utf8.encode(value));
    },
    async cancel() {
      await parts.return?.();
    },
  });
}
