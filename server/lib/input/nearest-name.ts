// cspell:ignore walletaddress agentaddress
/** Words are searched in this many characters of a name, which may be as long as the body. */
const MAX_WORDS_CHARACTERS = 100;

/** Up to this many edits, a name counts as a misspelling of another. */
const MAX_EDITS = 2;

const WALLET_FIELDS = ["walletAddress", "walletAddresses", "agentAddress"];

/** Names that other APIs use, without case and separators, with the fields they may mean here. */
const SYNONYMS: Record<string, readonly string[]> = {
  wallet: WALLET_FIELDS,
  address: WALLET_FIELDS,
  walletaddress: WALLET_FIELDS,
  agentaddress: WALLET_FIELDS,
  query: ["q"],
  search: ["q"],
  limit: ["size"],
  pagesize: ["size"],
};

/**
 * Returns the known name that `name` means: a usual synonym, or else the nearest within two edits
 * (insertions, deletions, replacements), apart from letter case and separators, so that `min_score`
 * finds `minScore`. Of equally near names, the first. Null if every name differs in more than that,
 * or in every letter.
 */
export function findNearestName(name: string, known: readonly string[]): string | null {
  const wanted = normalize(name);
  const synonyms = Object.hasOwn(SYNONYMS, wanted) ? SYNONYMS[wanted] : [];
  const synonym = synonyms?.find((field) => field !== name && known.includes(field));
  if (synonym !== undefined) return synonym;
  let nearest: string | null = null;
  let fewest = MAX_EDITS + 1;
  for (const candidate of known) {
    const normalized = normalize(candidate);
    if (Math.abs(normalized.length - wanted.length) > MAX_EDITS) continue;
    const edits = countEdits(wanted, normalized);
    if (edits < fewest && edits < normalized.length) [nearest, fewest] = [candidate, edits];
  }
  return nearest;
}

/**
 * Returns the known names that share a word with `name`, in singular or plural: `max-words` has one in
 * common with `word-count` and `max-bytes`.
 */
export function listRelatedNames(name: string, known: readonly string[]): string[] {
  const wanted = new Set(splitWords(name));
  return known.filter((candidate) => splitWords(candidate).some((word) => wanted.has(word)));
}

const splitWords = (name: string): string[] =>
  name
    .slice(0, MAX_WORDS_CHARACTERS)
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .flatMap((word) => word.replace(/s$/, "") || []);

function normalize(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, "");
}

/** Returns the Levenshtein distance, row by row (Wagner and Fischer, 1974). */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 0; i < from.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j++) {
      const replaced = (row[j] ?? 0) + (from[i] === to[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
