/** Describes why a check failed. `node` is the URL of the chain's node. */
export function describeFailure(error: unknown, node: string): string {
  if (!(error instanceof Error)) return String(error);
  const { host } = new URL(node);
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    // Browsers don't say why a request failed; a node without CORS looks like one that is down.
    if (cause.name === "HttpRequestError" && !("status" in cause && cause.status)) {
      return `${host} can't be reached from this browser. It is down, or it refuses requests from web pages (CORS). Try again, or run the command with another node.`;
    }
    if (cause.name === "TimeoutError") {
      return `${host} did not respond in time. Try again, or run the command with another node.`;
    }
  }
  return "shortMessage" in error ? `${host}: ${error.shortMessage}` : error.message;
}
