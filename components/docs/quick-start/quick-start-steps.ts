import { getCurlSteps } from "./curl";
import { getPythonSteps } from "./python";
import type { Step } from "./step";
import { getTypeScriptSteps } from "./typescript";

export const LANGUAGES = { curl: "curl", typescript: "TypeScript", python: "Python" } as const;
export type Language = keyof typeof LANGUAGES;

const STEPS: Record<Language, (url: string) => Step[]> = {
  curl: getCurlSteps,
  typescript: getTypeScriptSteps,
  python: getPythonSteps,
};

/** Returns the steps to run in order against the service at `url`, without a trailing slash. */
export const getQuickStartSteps = (url: string, language: Language) => STEPS[language](url);
