/** What a search term means. */
export interface TextMatch {
  /** LIKE pattern for name and description; to be case folded. */
  pattern: string;
  /** LIKE pattern for the lower-case wallet, where the term may begin an address. */
  walletPattern: string | null;
  /** Whether the text index can help: it knows runs of three letters or digits. */
  isIndexed: boolean;
}

/**
 * The meaning of a search term: part of a name or description, or the beginning of a wallet
 * address, in any letter case. Null where everything matches: no term, or the `0x` that every
 * address begins with.
 */
export function textMatch(q: string | undefined): TextMatch | null {
  if (!q || /^0x$/i.test(q)) return null;
  return {
    pattern: `%${q.replaceAll(/[\\%_]/g, "\\$&")}%`,
    walletPattern: /^0x[0-9a-f]{1,40}$/i.test(q) ? `${q.toLowerCase()}%` : null,
    isIndexed: /[\p{L}\p{N}]{3}/u.test(q),
  };
}
