/**
 * SQLSTATEs of a PostgreSQL that cannot serve at the moment: the connection failed (08), it lacks
 * disk space, memory or connections (53), or it is stopping or starting (57P).
 */
const SQLSTATE = /^(08|53)...$|^57P0\d$/;

/** Errors of the driver and of the operating system's sockets. */
const CONNECTION_ERROR =
  /^(CONNECTION_(CLOSED|ENDED|DESTROYED)|CONNECT_TIMEOUT|ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND)$/;

/** Errors that wrap each other, at most. */
const MAX_DEPTH = 8;

/** Returns whether an error, or one of its causes, says that the database or another host is unavailable. */
export function isUnavailable(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > MAX_DEPTH) return false;
  const { code } = error as { code?: unknown };
  const matches = typeof code === "string" && (SQLSTATE.test(code) || CONNECTION_ERROR.test(code));
  return matches || isUnavailable(error.cause, depth + 1);
}

/** Name of the error of a node that has limited requests for too long. */
export const NODE_LIMIT = "NodeLimitsRequests";

/** Returns whether an error or one of its causes is that one. The name is kept when a step's error is stored. */
export function isNodeLimit(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > MAX_DEPTH) return false;
  return error.name === NODE_LIMIT || isNodeLimit(error.cause, depth + 1);
}
