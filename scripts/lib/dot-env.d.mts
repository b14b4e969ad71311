/**
 * Loads variables from `.env` that the environment lacks. Throws a `CommandError` if unreadable.
 */
export function loadDotEnv(): void;
