import { remember } from "@/server/judging/checks/text/remember";
import { extractProse, listStatementsOfProse } from "@/server/judging/checks/text/statements";

/**
 * A clause of a task that states one demand. Quoted terms are replaced by marks such as `⟦TA⟧`, so
 * that patterns see where a term is, and its words and punctuation cannot match them.
 */
export interface Clause {
  text: string;
  /** The sentence or list item that the clause belongs to, with the same marks. */
  statement: string;
}

/** The clauses of a task, with the terms that their marks refer to. */
export interface Clauses {
  clauses: Clause[];
  /** Returns the term of a mark; other text is returned as it is. */
  resolve(mark: string): string;
  /** Replaces the marks in a clause by their terms, for the private record. */
  restore(text: string): string;
}

/** Matches the mark of a term. Letters only, since digits would look like an amount. */
export const MARK = "⟦T[A-Z]+⟧";

const MAX_TERM_LENGTH = 400;
/**
 * Matches a quoted, emphasised or code-formatted term within a line. The character before an
 * apostrophe decides whether it opens a quotation; the character after decides whether it ends one.
 */
const QUOTED = new RegExp(
  [
    `(?<![\\w"])"(?<straight>[^"\\n]{1,${MAX_TERM_LENGTH}})"(?!\\w)`,
    `“(?!⟦)(?<curly>[^”\\n]{1,${MAX_TERM_LENGTH}})”`,
    `«\\s?(?<guillemets>[^»\\n]{1,${MAX_TERM_LENGTH}})»`,
    `(?<!\`)\`(?<code>[^\`\\n]{1,${MAX_TERM_LENGTH}})\`(?!\`)`,
    `(?<![\\w*])\\*\\*(?<bold>[^*\\n]{1,80})\\*\\*(?![\\w*])`,
    `(?<![\\p{L}\\p{N}'’‘])['‘](?<single>(?:[^'’\\n]|['’](?=\\p{L})){1,${MAX_TERM_LENGTH}})['’](?![\\p{L}\\p{N}])`,
  ].join("|"),
  "gu",
);
const CONJUNCTION =
  /(?:[,;]\s*(?:and\s+|but\s+|then\s+|while\s+|also\s+)?|\s+(?:and|but|then|while|yet|plus|&)\s+)(?=(?:(?:also|then|please|it|they|you|the (?:response|answer|output|text|whole)|your (?:response|answer|entire))\s+)*(?:(?:must|should|shall|make sure|ensure|be sure|do not|don['’]?t|does(?:n['’]?t| not)|never|skip|drop|avoid(?:ing)?|without|refrain|steer clear|stay away|use|using|include|including|includes|contain(?:s|ing)?|mention(?:s|ing)?|start|begin|end|finish|wrap|keep|write|give|add|put|repeat|has|have|no|omit|exclude|leave out|highlight|separate|choose|answer|respond|insert|incorporate)\b))|\s+without\s+(?=(?:using|including|mentioning|saying|any)\b)/giu;

/** Splits the instructions of a task into clauses. Leaves out wishes and conditions. */
export const listClauses = remember((task: string): Clauses => {
  const terms: string[] = [];
  // In quotation marks, so that the statements are parsed as if the term were still there.
  const mark = (term: string) => {
    terms.push(term.trim());
    return `“⟦T${toLetters(terms.length - 1)}⟧”`;
  };
  const marked = joinTermLists(
    shorten(extractProse(task.replace(TERMS_LEAD, `$1${COLON}`))),
    mark,
  ).replace(QUOTED, (...match) => {
    const groups: Record<string, string | undefined> = match.at(-1);
    const term = Object.values(groups).find((value) => value !== undefined) ?? "";
    return term.trim() === "" ? match[0] : mark(term.replace(/^\*\*|\*\*$/g, ""));
  });
  const clauses = listStatementsOfProse(marked)
    .filter(({ isHedged, text }) => !isHedged && text.length <= MAX_STATEMENT_LENGTH)
    .slice(0, MAX_STATEMENTS)
    .flatMap(({ text }) => {
      const statement = text.replace(new RegExp(`“(${MARK})”`, "g"), "$1").replaceAll(COLON, ":");
      return splitClauses(statement).map((clause) => ({ text: clause, statement }));
    });
  const resolve = (text: string) => {
    const letters = /^⟦T([A-Z]+)⟧$/.exec(text)?.[1];
    return letters === undefined ? text : (terms[fromLetters(letters)] ?? text);
  };
  return {
    clauses,
    resolve,
    restore: (text) => text.replace(new RegExp(MARK, "g"), (found) => `"${resolve(found)}"`),
  };
});

/** Limits the time for hostile tasks; the instructions of honest ones are shorter. */
const MAX_STATEMENTS = 150;
const MAX_STATEMENT_LENGTH = 2_000;
const MAX_CLAUSE_LENGTH = 600;
const MAX_PROSE_LENGTH = 60_000;

/** Keeps the beginning and the end of a very long text, where instructions are. */
function shorten(text: string): string {
  const half = MAX_PROSE_LENGTH / 2;
  return text.length <= MAX_PROSE_LENGTH ? text : `${text.slice(0, half)}\n${text.slice(-half)}`;
}

function splitClauses(statement: string): string[] {
  const clauses: string[] = [];
  let from = 0;
  for (const { 0: conjunction, index } of statement.matchAll(CONJUNCTION)) {
    clauses.push(statement.slice(from, index));
    // "without" negates what follows it, so it stays.
    from = /without/i.test(conjunction) ? index : index + conjunction.length;
  }
  return [...clauses, statement.slice(from)]
    .map((clause) => clause.trim())
    .filter((clause) => clause !== "" && clause.length <= MAX_CLAUSE_LENGTH);
}

/** Replaces the colon before a list of terms, which would look like the lead of material. */
const COLON = "∶";
const TERMS_LEAD =
  /^(?=[^\n]{0,300}\b(?:us(?:e|ing|ed)|includ|incorporat|mention|contain|avoid|forbid|banned|prohibit|must|should|work in|insert|weav|featur|employ|appear|allowed|one of|start|begin|open|end|finish|conclud|clos|first|last|say|choose|select|pick)\w*)([^:\n]{0,300}\b(?:(?:key ?)?(?:words?|phrases?)|terms?|expressions?|hashtags?|options|one of)\b[^:\n]{0,60}):(?=[ \t]|$)/gim;
const INTRODUCES_TERMS =
  /\b(?:key ?words?|words?|phrases?|terms?|expressions?|sentences?|hashtags?|options|answers|responses|labels|values|of)\b[^:∶.!?\n]{0,80}[:∶][ \t]*$/i;
const LIST_ITEM = /^[ \t]*(?:[-*•]|\d{1,2}[.)]|\(?[a-z]\))[ \t]+(\S.{0,119})$/i;
const MAX_ITEM_WORDS = 8;

/** Joins a list of terms, one per line, to the line that introduces it: "Use the words: ⟦TA⟧, ⟦TB⟧". */
function joinTermLists(task: string, mark: (term: string) => string): string {
  const joined: string[] = [];
  let isOpen = false;
  for (const line of task.split("\n")) {
    const item = LIST_ITEM.exec(line)?.[1]?.trim();
    const previous = joined.at(-1);
    if (isOpen && previous !== undefined && item && item.split(/\s+/).length <= MAX_ITEM_WORDS) {
      const term = item.replace(/^["'`“‘*]+|["'`”’*,;]+$/g, "");
      joined[joined.length - 1] = `${previous}${/⟧”$/.test(previous) ? "," : ""} ${mark(term)}`;
    } else if (!(isOpen && line.trim() === "" && /[:∶]\s*$/.test(previous ?? ""))) {
      joined.push(line);
      isOpen = line.length < 1000 && INTRODUCES_TERMS.test(line);
    }
  }
  return joined.join("\n");
}

function toLetters(index: number): string {
  let rest = index;
  let letters = "";
  do {
    letters = String.fromCharCode(65 + (rest % 26)) + letters;
    rest = Math.floor(rest / 26) - 1;
  } while (rest >= 0);
  return letters;
}

function fromLetters(letters: string): number {
  return [...letters].reduce((index, letter) => index * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
