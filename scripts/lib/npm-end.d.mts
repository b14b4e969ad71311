/** Calls `end` when npm, which runs the script `name`, has ended. */
export function onNpmEnd(name: string, end: () => void): void;
