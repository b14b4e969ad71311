/** What a person did or can mend. `message` is one plain sentence and all that is printed. */
export class BenchError extends Error {
  override name = "BenchError";
}
