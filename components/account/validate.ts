// By hand: the API's schemas would load a validator of 30 kB. The service validates everything again.

/** Returns whether the API accepts a text as a URL. */
export function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text) || text.length > MAX_URL) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === "http:" || protocol === "https:") && !username && !password;
}

export const MAX_URL = 2_048;

export const isTxHash = (text: string): text is `0x${string}` => /^0x[0-9a-fA-F]{64}$/.test(text);

/** Returns whether a text may be an email address. */
export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(text);

/** Counts code points, as the API does. */
export function countCharacters(text: string): number {
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters;
}
