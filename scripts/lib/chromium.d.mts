/** Launch flags: Chromium may run as root, and connects only to the service. */
export const CHROMIUM_FLAGS: string[];

/** Resolves to the path of a working Chromium. Throws a one-sentence error if there is none. */
export function findChromium(): Promise<string>;
