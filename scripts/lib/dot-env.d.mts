/** Sets what `.env` names and the environment does not. Throws a `CommandError` if it cannot be read. */
export function loadDotEnv(): void;
