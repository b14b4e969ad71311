/** A command cannot be done; the message is for the person at the terminal, nothing is a fault of the code. */
export class CommandError extends Error {}
