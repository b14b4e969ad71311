import type { BuildOptions, BuildResult } from "esbuild";

/** Folder of the compiled code. */
export const COMPILED: string;

/** Node arguments that run the compiled server from the project's folder. */
export const SERVER_ARGS: string[];

/**
 * Bundles first-party code into `dist`, with overrides of esbuild's options. Throws on compile
 * errors.
 */
export function compile<T extends BuildOptions>(options?: T): Promise<BuildResult<T>>;
