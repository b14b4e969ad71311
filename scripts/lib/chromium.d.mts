/** What it is started with: it may run as root, and speaks to nobody but the service. */
export const CHROMIUM_FLAGS: string[];

/** Path of a Chromium that runs. Throws a sentence where there is none. */
export function findChromium(): Promise<string>;
