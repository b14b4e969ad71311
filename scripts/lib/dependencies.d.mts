/** Installs the locked dependencies unless they are in place; the tools only if `tools` is set. */
export function ensureDependencies(options?: { tools?: boolean }): Promise<void>;
