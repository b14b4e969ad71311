import type { Demand } from "./demands";

/** Names in a demand: literal ones are quoted or marked as code, so their spelling is fixed. */
export interface DemandedNames {
  names: string[];
  isLiteral: boolean;
}

const QUOTED_NAME =
  /^\s*(?:"([^"\n]{1,60})"|“([^”\n]{1,60})”|`([^`\n]{1,60})`|'([^'\n]{1,60})'|\*\*([^*\n]{1,60})\*\*)/;
const BARE_NAME =
  /^\s*([\p{L}_][\p{L}\p{N}_-]{0,40}(?: (?!and\b|or\b|with\b|as\b|in\b|for\b|where\b|which\b|that\b|of\b|should\b|must\b|is\b|are\b|to\b|each\b|sorted\b|rounded\b|by\b|be\b|have\b|ordered\b|per\b)[\p{L}\p{N}_%()-]{1,25}){0,2})/u;
/** What may come between two names of a list: a remark in brackets, a comma, "and". */
const SEPARATOR =
  /^\s*(?:\([^()\n]{0,160}\)|\[[^[\]\n]{0,100}\])?\s*(?:,\s*(?:and|&)?|;\s*(?:and)?|\band\b|&|\bplus\b|\bas well as\b|\|)\s*(?:(?:an?|the) )?/i;
/** What follows a list of names if the sentence goes on to demand an amount: "and exactly 5 rows". */
const OTHER_DEMAND =
  /^\s*,?\s*(?:and|with|plus)\s+(?:(?:exactly|at least|at most|no more than|up to|about|only|then)\s|\d+ |(?:no|two|three|four|five|six|seven|eight|nine|ten) [a-z]+)/i;
const MAX_NAMES = 40;

/**
 * Reads a list of names at the start of a text: `a`, "b" and "c", or name, city and price. Returns
 * null for a list that is unclear, such as one with explanations between its names.
 */
export function readNames(text: string, allowBare: boolean): DemandedNames | null {
  const names: string[] = [];
  let rest = text.replace(/^\s*[:(–—-]?\s*/, "");
  let isLiteral = true;
  let isClear = false;
  let isDense = true;
  while (names.length < MAX_NAMES) {
    const quoted = QUOTED_NAME.exec(rest);
    const match = quoted ?? (allowBare ? BARE_NAME.exec(rest) : null);
    if (!match) break;
    const name = match.slice(1).find((group) => group !== undefined) ?? "";
    if (!quoted) isLiteral = false;
    names.push(name.trim());
    rest = rest.slice(match[0].length);
    isClear = /^\s*(?:\([^()\n]{0,160}\)\s*)?(?:[.;:!)\]}]|$|\n)/.test(rest);
    if (OTHER_DEMAND.test(rest)) isClear = true;
    const separator = SEPARATOR.exec(rest);
    if (!separator || OTHER_DEMAND.test(rest)) break;
    // "name,born,city and ISO dates": what follows a header without spaces is no name.
    isDense &&= names.length === 1 ? separator[0] === "," : true;
    if (isDense && separator[0] !== ",") {
      isClear = true;
      break;
    }
    rest = rest.slice(separator[0].length);
  }
  if (names.length === 0 || names.some((name) => /optional/i.test(name))) return null;
  if (/^\s*\(optional|\boptional\b/i.test(text)) return null;
  if (!isLiteral && (!isClear || names.length < 2)) return null;
  return { names, isLiteral };
}

const KEYS_WORD =
  /\b(?:keys|fields|properties|attributes|(?:key|field|property) names)\b(?: (?:named|called|are|is|for|such as|of|must be|should be|as follows|in (?:this|that|the given|exactly this) order|only|exactly|below|listed))*\s*[:(]?\s*(?!of each|from|in the (?:table|text))/iu;
const SAME_OBJECT =
  /^(?:it|the (?:json|object|array|output|response|result)|each (?:object|element|item|entry|record|row)?|every (?:object|element|item|entry|record)|use|include|objects|the (?:keys|fields)|keys|fields|required (?:keys|fields)|with)\b/i;

/** Finds the keys that a demand for JSON or YAML names, in its sentence or the following one. */
export function findDemandedKeys(task: string, demand: Demand): DemandedNames | null {
  const template = findTemplateKeys(task, demand.statement);
  if (template) return { names: template, isLiteral: true };
  const following = demand.next.slice(0, 2).filter((sentence) => SAME_OBJECT.test(sentence));
  for (const sentence of [demand.rest, ...following]) {
    const word = KEYS_WORD.exec(sentence);
    if (
      word &&
      !/\b(?:no|not|without|any|other|extra|additional) $/i.test(sentence.slice(0, word.index))
    ) {
      const named = readNames(sentence.slice(word.index + word[0].length), true);
      if (named) return named;
    }
  }
  const direct =
    /^[ ,]*(?:objects?|arrays?|list|records?|format)?(?: of objects)?(?: (?:with|containing|having|of|that (?:has|contains)|contains|including))?(?: (?:the|these|an?|only|exactly|following))*:? (?=["`“'])/i.exec(
      demand.rest,
    );
  const quoted = direct && readNames(demand.rest.slice(direct[0].length), false);
  return quoted && quoted.names.length >= 2 && quoted.names.every(isIdentifier) ? quoted : null;
}

const isIdentifier = (name: string) => /^[\p{L}_$@][\p{L}\p{N}_$@.-]*$/u.test(name);

/** Tasks in which a JSON text after the demand is material and no template. */
const TRANSFORMS =
  /\b(?:convert|transform|fix|repair|translate|correct|clean|validate|merge|flatten|minify|sort|update|modify|edit|change|rename|remove|reformat|parse|pretty-?print|summari[sz]e)\b[^.\n]{0,80}\b(?:json|object|array|data|records?)\b/i;
const MAX_TEMPLATE = 4_000;

/** Returns the keys of the outermost object of a JSON template that follows the demand. */
function findTemplateKeys(task: string, statement: string): string[] | null {
  if (TRANSFORMS.test(task)) return null;
  const head = statement.slice(0, 60);
  const words = head.split(/\s+/).filter(Boolean).slice(0, 6);
  const at = locate(task, words);
  if (at < 0) return null;
  const mention = /json/i.exec(task.slice(at, at + 600));
  if (!mention) return null;
  const from = at + mention.index;
  const open = /[{[]/.exec(task.slice(from, from + 300));
  if (!open) return null;
  const between = task.slice(from, from + open.index);
  if (/\b(?:input|given|source|data below|example input|not|instead)\b|["(`]/i.test(between))
    return null;
  return readTemplate(task.slice(from + open.index, from + open.index + MAX_TEMPLATE));
}

/** Finds consecutive words with any white space and list marks between them. */
function locate(task: string, words: string[]): number {
  const source = words
    .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("\\s{1,20}");
  return source === "" ? -1 : task.search(new RegExp(source));
}

/** Reads the keys at depth one of a loosely written JSON object, or of the objects of an array. */
function readTemplate(text: string): string[] | null {
  const start = text.indexOf("{");
  if (start < 0 || !/^[\s[]*$/.test(text.slice(0, start))) return null;
  const keys: string[] = [];
  let depth = 0;
  let expectsKey = true;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at] ?? "";
    if (char === "{" || char === "[" || char === "(") {
      depth += 1;
      if (depth > 1) expectsKey = false;
    } else if (char === "}" || char === "]" || char === ")") {
      depth -= 1;
      if (depth === 0) return isTemplate(keys) ? keys : null;
    } else if (char === "," && depth === 1) expectsKey = true;
    else if (depth === 1 && expectsKey && /["'\w$]/.test(char)) {
      const name = /^(?:"([^"\n]{1,60})"|'([^'\n]{1,60})'|([\w$]{1,60}))\s{0,20}(?=[:,}]|\n)/.exec(
        text.slice(at, at + 90),
      );
      if (!name) return null;
      keys.push(name[1] ?? name[2] ?? name[3] ?? "");
      at += name[0].length - 1;
      expectsKey = false;
    } else if (char === '"' && !expectsKey) {
      const close = text.indexOf('"', at + 1);
      if (close < 0) return null;
      at = close;
    }
  }
  return null;
}

/** Keys such as "key1" or "<country>" stand for others; those of a JSON Schema are not meant. */
const isTemplate = (keys: string[]) =>
  keys.length > 0 &&
  !keys.includes("$schema") &&
  !(keys.includes("type") && keys.includes("properties")) &&
  keys.every(
    (key) =>
      (isIdentifier(key) &&
        !/^(?:key|field|name_?of|your|example|property|word|term|question|item|category|x|y|foo|bar)_?\d*$/i.test(
          key,
        )) ||
      /^(?:question|item|category|term|word)$/i.test(key),
  );
