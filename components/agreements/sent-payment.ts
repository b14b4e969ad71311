// The chain is searched for payments of delivered work days later. Until then, the browser that sent one
// remembers it, so that its owner isn't asked to pay again.

const getKey = (path: string) => `standing.sent.${path}`;

/** Returns the transaction that this browser sent for the agreement at `path`; null if it sent none. */
export const readSentPayment = (path: string) => localStorage.getItem(getKey(path));

export const rememberSentPayment = (path: string, txHash: string) =>
  localStorage.setItem(getKey(path), txHash);
