import { fail } from "./say.mjs";

/** Sets what `.env` names and the environment does not. Throws a `CommandError` if it cannot be read. */
export function loadDotEnv() {
  try {
    process.loadEnvFile(".env");
  } catch (error) {
    if (error.code !== "ENOENT") fail(`The file .env cannot be read (${error.code}).`);
  }
}
