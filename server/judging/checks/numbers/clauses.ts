import type { Token } from "./expression";

const CONNECTIVE = /^(?:and|so|then|therefore|thus|hence|but|while|which|leaving|because|since)$/i;

export const isEquals = ({ kind }: Token): boolean => kind === "equals" || kind === "roughly";

/** Splits tokens at line ends and punctuation; keeps the parts that contain an equals sign. */
export function splitClauses(tokens: readonly Token[]): Token[][] {
  const clauses: Token[][] = [];
  let clause: Token[] = [];
  /** Positions in the clause of the brackets that are open. */
  let open: number[] = [];
  const endClause = () => {
    if (clause.some(isEquals)) clauses.push(clause);
    clause = [];
    open = [];
  };
  for (const token of tokens) {
    const endsResult =
      token.kind === "word" &&
      CONNECTIVE.test(token.text) &&
      (clause.length === 0 || clause.some(isEquals));
    if (token.kind === "break" || endsResult) {
      endClause();
      continue;
    }
    if (token.kind === "close" && open.pop() === undefined) {
      // The bracket belongs to a list marker or surrounds the whole clause.
      endClause();
      continue;
    }
    const outer = open.at(-1);
    if (isEquals(token) && outer !== undefined) {
      // "The rest (80 − 20 = 60)" has its calculation inside.
      clause = clause.slice(outer + 1);
      open = [];
    }
    if (token.kind === "open") open.push(clause.length);
    clause.push(token);
  }
  endClause();
  return clauses;
}

/** Splits a clause at its equals signs. `isRough[n]` is whether sign n is an approximate one. */
export function splitSides(clause: readonly Token[]): { sides: Token[][]; isRough: boolean[] } {
  const sides: Token[][] = [[]];
  const isRough: boolean[] = [];
  for (const token of clause) {
    if (!isEquals(token)) sides.at(-1)?.push(token);
    // "= ≈" is one sign.
    else if (sides.at(-1)?.length === 0 && isRough.length > 0) isRough[isRough.length - 1] = true;
    else {
      isRough.push(token.kind === "roughly");
      sides.push([]);
    }
  }
  return { sides, isRough };
}
