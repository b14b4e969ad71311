/**
 * Returns a function that creates a value at its first call and returns the same value afterwards.
 * For `Intl` formats: each takes milliseconds to create, during which a loading page is frozen.
 */
export function onFirstUse<T>(create: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= create();
    return value;
  };
}
