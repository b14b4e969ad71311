/** Path of a Chromium that runs. Throws a sentence where there is none. */
export function findChromium(): Promise<string>;
