// Loaded into the service that the soak test measures: collects garbage on request and reports the memory
// still in use.

/** Repeated because each collection may run finalizers, which release more. */
const COLLECTIONS = 4;

process.on("message", (message) => {
  if (message !== "measure memory") return;
  const measured = Array.from({ length: COLLECTIONS }, () => {
    globalThis.gc();
    const { heapUsed: heap, external, rss } = process.memoryUsage();
    return { heap, external, rss };
  });
  process.send(measured.toSorted((a, b) => a.heap - b.heap)[0]);
});
