import { listStatements } from "@/server/judging/checks/text/statements";

export const DEMAND_KINDS = [
  "defines",
  "avoids-call",
  "avoids-module",
  "avoids-imports",
  "avoids-packages",
  "avoids-loops",
  "avoids-recursion",
  "is-recursive",
  "has-type-hints",
  "has-docstring",
  "has-tests",
] as const;

/** A demand on the form of code, which reading the code decides. */
export interface CodeDemand {
  kind: (typeof DEMAND_KINDS)[number];
  /** The function, class or module that it is about; empty for kinds about all code. */
  name: string;
}

const NOT =
  "(?:without(?: the)?(?: use of)?(?: using| importing| calling)?|(?:do not|don['’]t|must not|should not|may not|cannot|can['’]t|never|mustn['’]t|shouldn['’]t|avoid|refrain from)\\s+(?:use|using|import|importing|call|calling|rely(?:ing)? on))(?: any of)?(?: of)?(?: the)?(?: any)?(?: python['’]s)?";
const NOT_CALLING =
  "(?:without (?:the use of|using|calling|relying on)|(?:do not|don['’]t|must not|should not|may not|cannot|can['’]t|never|mustn['’]t|shouldn['’]t|avoid|refrain from)\\s+(?:use|using|call|calling|rely(?:ing)? on))(?: any of)?(?: the)?(?: any)?(?: python['’]s)?";
const NAME = "[A-Za-z_$][\\w$]{1,60}";
const ASKS =
  "(?:write|create|implement|define|provide|build|develop|complete|give me|add|make|design|code)";

/** What a sentence demands. The groups `name`, `bare` and `loose` hold the name, if it has one. */
const PATTERNS: [CodeDemand["kind"], RegExp][] = [
  [
    "defines",
    new RegExp(
      `\\b${ASKS}\\b[^.;]{0,80}?\\b(?:function|method|class|procedure|subroutine)\\s+(?:(?:that is|which is|and)\\s+)?(?:named|called|with the name)\\s+["'\`*]{0,3}(?<name>${NAME})`,
      "i",
    ),
  ],
  [
    "defines",
    new RegExp(
      `\\b(?:function|class|method)(?:['’]s name)?\\s+(?:must|should|has to|needs to|shall|is to)\\s+be\\s+(?:named|called)?\\s*["'\`*]{1,3}(?<name>${NAME})`,
      "i",
    ),
  ],
  [
    "defines",
    new RegExp(
      `\\b(?:function|class|method)\\s+(?:must|should|has to|needs to|shall)\\s+be\\s+(?:named|called)\\s+["'\`*]{0,3}(?<name>${NAME})`,
      "i",
    ),
  ],
  [
    "defines",
    new RegExp(
      `^(?:please )?(?:name|call) (?:the|your|this) (?:function|class|method)\\s+["'\`*]{0,3}(?<name>${NAME})`,
      "i",
    ),
  ],
  [
    "defines",
    new RegExp(
      `\\b${ASKS}\\b[^.;\`]{0,80}?\\b(?:function|method|class)\\s+\`(?:def |function |const |class |async )?(?<name>${NAME})\\s*[(<\`]`,
      "i",
    ),
  ],
  [
    "defines",
    new RegExp(
      `\\b(?:the )?name of (?:the|your|this) (?:function|class|method)\\s+(?:is|(?:must|should|has to|needs to|shall|is to)\\s+be)\\s+["'\`*]{0,3}(?<loose>${NAME})`,
      "i",
    ),
  ],
  [
    "defines",
    new RegExp(
      `\\b(?:function|class|method)(?:['’]s)? name\\s*(?::|is|(?:must|should|has to|needs to|shall)\\s+be)\\s*["'\`*]{0,3}(?<loose>${NAME})`,
      "i",
    ),
  ],
  [
    "avoids-imports",
    /\b(?:without|no|do not use|don['’]t use|avoid)\s+(?:any\s+)?imports?\b(?! (?:errors?|cycles?|statements? from))|\b(?:do not|don['’]t|must not|without)\s+import(?:ing)?\s+(?:anything|any (?:modules?|librar(?:y|ies)|packages?))/i,
  ],
  [
    "avoids-packages",
    /\b(?:no|without|zero|do not use|don['’]t use|avoid(?: using)?|without using|not use)\s+(?:any\s+)?(?:(?:external|third[- ]party|3rd[- ]party)\s+)(?:python\s+|js\s+|npm\s+)?(?:librar(?:y|ies)|packages?|dependenc(?:y|ies)|modules?)\b|\b(?:standard library only|only (?:the )?(?:python )?(?:standard|built[- ]in) (?:library|libraries|modules))\b|\b(?:use|using|with)\s+only\s+(?:the\s+)?(?:python\s+)?standard library\b|\bno (?:npm )?dependencies\b/i,
  ],
  [
    "avoids-loops",
    /\b(?:without|no|do not use|don['’]t use|must not use|avoid)\s+(?:using\s+)?(?:any\s+)?(?:explicit\s+)?(?:(?<name>for|while)(?<both>\s*(?:or|and|\/|nor)\s*(?:for|while))?[- ]\s*)?loops?\b/i,
  ],
  [
    "avoids-recursion",
    /\b(?:without|no|do not use|don['’]t use|must not use|avoid)\s+(?:using\s+)?(?:any\s+)?recursion\b|\bmust not be recursive\b/i,
  ],
  [
    "is-recursive",
    /\b(?:use|using|with|via|by|through|must use|should use)\s+recursion\b|\b(?:must|should) be recursive\b|\b(?:write|implement|create|define|provide)\s+(?:an?|the)\s+(?:\w+\s+)?recursive\s+(?:python\s+|javascript\s+)?(?:function|solution|implementation|version|method|algorithm)\b/i,
  ],
  [
    "has-type-hints",
    /\b(?:use|with|include|including|add|has|have|contain|provide|and)\s+(?:full |complete |proper |python |appropriate |the )?type[- ](?:hints?|annotations?)\b|\bmust be (?:fully )?(?:typed|annotated)\b/i,
  ],
  [
    "has-docstring",
    /\b(?:with|include|including|add|has|have|contain|provide|write|and|needs?)\s+(?:an?\s+|the\s+)?(?:\w+\s+){0,2}docstrings?\b/i,
  ],
  [
    "has-tests",
    /\b(?:include|including|add|provide|write|with|and)\s+(?:at least\s+)?(?:an?\s+|some\s+|the\s+|your\s+|\w+\s+)?(?:unit |pytest |jest |basic |simple |automated )+(?:tests?|test cases?)\b/i,
  ],
  [
    "avoids-module",
    new RegExp(
      `\\b${NOT}\\s+["'\`]?(?<name>numpy|pandas|scipy|itertools|functools|collections|regex|re|regular expressions?|lodash|jquery|moment|axios|requests|math|random|heapq|bisect|copy|datetime|statistics|underscore|ramda|react|express)["'\`]?(?=\\W|$)(?! (?:installed|available|present|support))`,
      "i",
    ),
  ],
  [
    "avoids-call",
    new RegExp(
      `\\b${NOT_CALLING}\\s+(?:(?:python|javascript|js)['’]?s?\\s+)?(?:built[- ]?in\\s+)?(?:functions?\\s+|methods?\\s+)?(?:\`(?:\\w{1,30}\\.)?\\.?(?<name>${NAME})(?:\\(\\))?\`|\\.?(?<bare>sorted|sort|reversed|reverse|eval|exec|max|min|sum|len|split|join|replace|map|filter|reduce|indexOf|includes)\\(\\))`,
      "i",
    ),
  ],
];

/** Words that follow "called" or "named" without being a name. */
const NO_NAME =
  /^(?:that|which|with|and|it|to|by|the|a|an|in|on|from|for|using|this|takes?|returns?|of|or)$/i;
/** Keywords, types and constants, which no code calls. */
const NO_CALL =
  /^(?:for|while|if|else|lambda|class|def|return|import|var|let|const|any|global|goto|async|await|async_|with|try|True|False|None|null|int|str|float|list|dict|set|tuple|string|number|object)$/;

/** Restricts when something is forbidden. */
const CONDITION =
  /^\W{0,3}\s*(?:twice|more|again|if|when|until|before|after|inside|within|in|on|with|directly|unless|for|from|as|at|to|because|since)\b/i;
/** Verbs for what a program does with its input. */
const SUBJECT =
  /\b(?:remov|strip|pars|extract|detect|count|find|generat|check|validat|read|collect|list|explain|describ)(?:e|es|s|ing)?\b/i;

/** A demand with the sentence that states it. */
export interface StatedDemand extends CodeDemand {
  statement: string;
}

/** Finds what a task explicitly demands of the form of code. */
export function findDemands(task: string): StatedDemand[] {
  const demands = listStatements(task)
    .filter(({ isHedged }) => !isHedged)
    .flatMap(({ text }) =>
      [
        ...PATTERNS.flatMap(([kind, pattern]) => readDemand(kind, pattern, text)),
        ...readMethods(text),
      ].map((demand) => ({ ...demand, statement: text })),
    );
  const seen = new Set<string>();
  return demands.filter(({ kind, name }) => seen.size < seen.add(`${kind} ${name}`).size);
}

const CLASS_WITH_METHODS = new RegExp(
  `\\b(?:design|${ASKS})\\b[^.;]{0,60}?\\bclass\\s+["'\`*]{0,3}(?<name>${NAME})["'\`*]{0,3},?\\s+(?:with|having|that (?:has|supports|provides|offers))\\s+(?:the\\s+|these\\s+)?(?:methods?|operations?)?:?\\s*(?=["'\`*]{0,2}[A-Za-z_]\\w{0,60}\\()`,
  "i",
);
const METHOD =
  /\s{0,3}(?:,?\s{0,2}and\s{1,3}|,\s{0,3})?["'`*]{0,2}([A-Za-z_]\w{0,60})\([\w\s,:=*\][]{0,80}\)["'`*]{0,2}/y;

/** Reads "a class Stack with push(x), pop() and top()". */
function readMethods(text: string): CodeDemand[] {
  const match = CLASS_WITH_METHODS.exec(text.slice(0, 1_000));
  const className = match?.groups?.name;
  if (!match || !className) return [];
  const names = [className];
  METHOD.lastIndex = match.index + match[0].length;
  for (let one = METHOD.exec(text); one && names.length < 20; one = METHOD.exec(text)) {
    names.push(one[1] ?? "");
  }
  return names
    .filter((name) => name !== "" && !/^(?:init|constructor)$/i.test(name))
    .map((name) => ({ kind: "defines", name }));
}

function readDemand(kind: CodeDemand["kind"], pattern: RegExp, text: string): CodeDemand[] {
  const match = pattern.exec(text.slice(0, 1_000));
  if (!match) return [];
  const { loose } = match.groups ?? {};
  const name = match.groups?.name ?? match.groups?.bare ?? loose ?? "";
  // Without quotes, only what is no ordinary word is a name.
  if (loose && !/[a-z][A-Z]|[_\d]/.test(loose) && !/["'`*]\w+$/.test(match[0])) return [];
  if (kind === "defines" && NO_NAME.test(name)) return [];
  if (kind === "avoids-call" && NO_CALL.test(name)) return [];
  const before = text.slice(0, match.index);
  // The sentence may be about what the program reads or writes.
  if (kind.startsWith("has") && SUBJECT.test(before)) return [];
  if (kind === "is-recursive" && /\b(?:can|may|could|might|either|whether)\b|\bor\b/i.test(text))
    return [];
  // An exception leaves open what is forbidden.
  if (
    kind.startsWith("avoids") &&
    /\bexcept\b|\bother than\b|\bunless\b|\bapart from\b|\bbesides\b/i.test(text)
  ) {
    return [];
  }
  // "Do not call `save` twice" forbids something else.
  const after = text.slice(match.index + match[0].length);
  if (kind === "avoids-call" && CONDITION.test(after)) return [];
  if (kind === "avoids-loops" && match.groups?.both) return [{ kind, name: "" }];
  return [{ kind, name: /^avoids-(?:module|loops)$/.test(kind) ? name.toLowerCase() : name }];
}
