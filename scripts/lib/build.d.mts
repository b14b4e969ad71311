/**
 * Builds pages and server, each only if its build is incomplete or its sources changed. Throws a
 * `CommandError`.
 */
export declare function ensureBuild(): Promise<void>;

/** Compiles the server and the operator's commands, if their sources changed. Throws a `CommandError`. */
export declare function ensureCompiled(): Promise<void>;
