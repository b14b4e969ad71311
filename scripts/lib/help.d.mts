/** Prints how a command is used and exits with 0, if its arguments ask for that. */
export function offerHelp(usage: string, args?: string[]): void;
