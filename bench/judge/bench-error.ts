/** An error that the user can fix. Only `message`, one plain sentence, is printed. */
export class BenchError extends Error {
  override name = "BenchError";
}
