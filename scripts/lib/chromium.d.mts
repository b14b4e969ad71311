import type { Browser } from "playwright/test";

/** Launch flags: allow running as root in a container, and connect only to the service. */
export const CHROMIUM_FLAGS: string[];

/** Resolves to the path of a working Chromium. Throws a `CommandError` if there is none. */
export function findChromium(): Promise<string>;

/** Launches Chromium with these flags too. Installs what is missing. Throws a `CommandError`. */
export function launchChromium(args?: string[]): Promise<Browser>;
