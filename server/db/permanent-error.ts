/**
 * Returns whether Postgres rejected the data itself (SQLSTATE 22, 23, 42) or this process is
 * closing.
 */
export function isPermanentError(error: unknown): boolean {
  const code = codeOf(error) ?? codeOf((error as { cause?: unknown }).cause);
  return code !== undefined && /^(22|23|42)|^CONNECTION_ENDED$/.test(code);
}

const codeOf = (error: unknown) => (error as { code?: string } | undefined)?.code;
