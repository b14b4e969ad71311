import type { BuildOptions, BuildResult } from "esbuild";

/** Arguments for Node that run the compiled server from the project's folder. */
export const SERVER_ARGS: string[];

/** Bundles first-party code into `dist`, with changes to esbuild's options. Throws on a fault. */
export function compile<T extends BuildOptions>(options?: T): Promise<BuildResult<T>>;
