import { z } from "zod";
import type { CheckResult, TextCheck } from "@/server/judging/checks/check";
import { asksForCode, listTaskSentences } from "@/server/judging/checks/text/sentences";
import {
  findDelimited,
  findJson,
  findMarkdownTables,
  hasTable,
  isCollection,
  readSoleBlock,
  type Separator,
} from "./tables";

const JSON_NAME = "json(?!(?:[- ]?(?:ld|rpc|lines|l|schema|path|p)\\b|l\\b))(?:[- ]formatted)?";

const jsonSchema = z.strictObject({
  /** Whether any text beside the JSON is a failure. */
  only: z.boolean(),
  /** Outermost value; null: any. */
  shape: z.enum(["object", "array"]).nullable(),
});

/** Checks that the deliverable is, or contains, valid JSON. */
export const JSON_FORMAT: TextCheck<z.infer<typeof jsonSchema>> = {
  name: "json",
  parameters: jsonSchema,
  extract: (task) =>
    findDemands(task, JSON_NAME)
      .slice(0, 1)
      .map((demand) => ({
        check: "json",
        parameters: {
          only: excludesOtherText(demand, JSON_NAME),
          shape: readShape(demand.rest),
        },
        statement: demand.statement,
      })),
  describe: ({ only, shape }) =>
    `${only ? "Only" : "Contains"} valid JSON${shape ? `, an ${shape}` : ""}`,
  forRubric:
    '{"only": true if no text beside the JSON is allowed, "shape": "object", "array" or null}: valid JSON',
  run: ({ text }, { only, shape }): CheckResult => {
    const found = findJson(text);
    if (!found) return { outcome: "fail", observed: "no valid JSON" };
    if (only && found.place === "part")
      return { outcome: "fail", observed: "text beside the JSON" };
    const { value } = found;
    if (!isCollection(value) && shape !== null)
      return { outcome: "fail", observed: `no JSON ${shape}` };
    // Several objects may be what the task calls an object; several in a row, an array.
    const isMismatch = shape === "array" && found.place !== "part" && !Array.isArray(value);
    return isMismatch
      ? { outcome: "fail", observed: "a JSON object instead of an array" }
      : { outcome: "pass", observed: "valid JSON" };
  },
};

function readShape(rest: string): "object" | "array" | null {
  const word = /^[ "`]*(?:(?:formatted|valid) )?(object|array|list)\b(?!s)/i
    .exec(rest)?.[1]
    ?.toLowerCase();
  return word === "object" ? word : word ? "array" : null;
}

const CSV_NAME =
  "(?:csv|tsv|(?:comma|tab|semicolon|pipe)[- ](?:separated|delimited)(?: values)?)(?! of\\b)";
const SEPARATORS = ["comma", "semicolon", "tab", "pipe"] as const;
const CHARACTERS: Record<(typeof SEPARATORS)[number], Separator> = {
  comma: ",",
  semicolon: ";",
  tab: "\t",
  pipe: "|",
};

const csvSchema = z.strictObject({
  /** Null: comma, semicolon or tab. */
  separator: z.enum(SEPARATORS).nullable(),
  /** Whether any text beside the rows is a failure. */
  only: z.boolean(),
});

/** Checks that the deliverable is, or contains, rows of delimited values. */
export const CSV_FORMAT: TextCheck<z.infer<typeof csvSchema>> = {
  name: "csv",
  parameters: csvSchema,
  extract: (task) =>
    findDemands(task, CSV_NAME)
      // "A comma-separated list of five fruits" is no table.
      .filter(
        ({ statement }) =>
          !/(?:comma|tab|semicolon|pipe)[- ](?:separated|delimited)(?! (?:values|rows|table|file|records|text|data))/i.test(
            statement,
          ) || /\b(?:csv|tsv)\b/i.test(statement),
      )
      .slice(0, 1)
      .map((demand) => ({
        check: "csv",
        parameters: {
          separator: readSeparator([demand.statement, ...demand.next].join(" ")),
          only: excludesOtherText(demand, CSV_NAME),
        },
        statement: demand.statement,
      })),
  describe: ({ separator, only }) =>
    `${only ? "Only" : "Contains"} ${separator && separator !== "comma" ? `${separator}-separated rows` : "CSV"}`,
  forRubric:
    '{"separator": "comma", "semicolon", "tab", "pipe" or null, "only": true if no text beside the rows is allowed}: CSV or the like, with as many fields in every row',
  run: ({ text }, { separator, only }): CheckResult => {
    const wanted: Separator[] = separator ? [CHARACTERS[separator]] : [",", ";", "\t"];
    const found = findDelimited(text, wanted);
    if (!found) return { outcome: "fail", observed: "no rows of separated values" };
    if (found.place === "block" && !found.isEven) {
      return { outcome: "fail", observed: "rows of different length" };
    }
    if (only && (found.place === "part" || (found.place === "block" && !readSoleBlock(text)))) {
      return { outcome: "fail", observed: "text beside the rows, or rows of different length" };
    }
    return { outcome: "pass", observed: "rows of separated values" };
  },
};

function readSeparator(text: string): (typeof SEPARATORS)[number] | null {
  if (/\btsv\b/i.test(text)) return "tab";
  const states = (name: string) =>
    new RegExp(
      `\\b${name}s?[- ](?:separated|delimited)|(?:separated|delimited) (?:by|with) ${name}s?\\b|\\b${name}s? as (?:the )?(?:separator|delimiter)`,
      "i",
    ).test(text);
  return SEPARATORS.find((name) => name !== "comma" && states(name)) ?? null;
}

const TABLE_NAME =
  "(?:(?:[a-z]{1,20}[- ]){0,2}?(?:markdown|md) tables?|(?:(?:two|three|four|five|comparison|summary|evidence|variance|profit|priced|simple|[a-z]{1,20})[- ](?:column[- ])?)?tables?(?![- ]of contents|spoons?|tops?|top\\b)|tabular (?:form(?:at)?|layout))";

const tableSchema = z.strictObject({
  /** Whether it must be a Markdown table. */
  markdown: z.boolean(),
  /** Whether any text beside it is a failure. */
  only: z.boolean(),
});

/** Matches every task that names a table, and faster than the name itself. */
const MAY_NAME_TABLE = /table|tabular/iu;

const listTableDemands = (task: string) =>
  (MAY_NAME_TABLE.test(task) ? findDemands(task, TABLE_NAME) : []).filter(
    ({ statement, rest }) =>
      !/\btables?\b[^.;]{0,30}\b(?:above|given|attached|provided|you (?:are|were) given)\b|\b(?:from|in|of|using|based on) the (?:\w+ )?table\b|\b(?:use|read|consult|study|check|refer to) the (?:\w+ ){0,2}tables?\b(?! (?:form|layout|structure|template|syntax))|\b(?:create table|database|sql|postgres\w*|sqlite|(?:dinner|lookup|hash|truth|periodic|multiplication|dining|coffee|pool|round|kitchen|operating) table|at the table|time-?table|set the)\b/i.test(
        statement,
      ) && !/^ (?:for (?:two|four|six|\d)|by the|decoration|manners)\b/i.test(rest),
  );

/** Checks that the deliverable contains a table. */
export const TABLE: TextCheck<z.infer<typeof tableSchema>> = {
  name: "table",
  parameters: tableSchema,
  extract: (task) =>
    listTableDemands(task)
      .slice(0, 1)
      .map((demand) => ({
        check: "table",
        parameters: {
          markdown: /\b(?:markdown|md)\b[^.;]{0,20}\btable/i.test(demand.statement),
          only: excludesOtherText(demand, "table"),
        },
        statement: demand.statement,
      })),
  describe: ({ markdown, only }) =>
    `${only ? "Only" : "Contains"} a ${markdown ? "Markdown table" : "table"}`,
  forRubric:
    '{"markdown": whether it must be a Markdown table, "only": whether text beside it is a failure}: a table',
  run: ({ text }, { markdown, only }): CheckResult => {
    const isMarkdown = findMarkdownTables(text).length > 0;
    if (!isMarkdown && (markdown || !hasTable(text))) {
      return { outcome: "fail", observed: markdown ? "no Markdown table" : "no table" };
    }
    const words = isMarkdown ? countWordsOutside(text) : 0;
    return only && words > MAX_WORDS_OUTSIDE
      ? { outcome: "fail", observed: `${words} words beside the table` }
      : { outcome: "pass", observed: isMarkdown ? "a Markdown table" : "a table" };
  },
};

/** Words beside a table up to which it counts as the only thing. */
const MAX_WORDS_OUTSIDE = 3;

function countWordsOutside(text: string): number {
  const lines = text
    .split("\n")
    .filter((line) => !line.includes("|") && !/^\s*(?:```|~~~)/.test(line));
  return lines.join(" ").match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}

/** A place where a task demands that its deliverable has a format. */
export interface Demand {
  /** The sentence that states it. */
  statement: string;
  /** The sentence after the name of the format. */
  rest: string;
  /** The following sentences, at most three, which may say more about the format. */
  next: string[];
  /** Whether the sentence is about the whole deliverable: "your entire response". */
  isWhole: boolean;
}

const ADJECTIVES =
  "(?:(?:an?|one|two|three|single|valid|well-?formed|strict(?:ly)?|raw|plain|pure(?:ly)?|proper(?:ly)?|correct|formatted|only|just|simple|the|parseable|parsable|compact|minified|pretty-?printed|flat|nested|standard|clean|structured|machine-readable|complete|short|small|clear|neat|concise|syntactically|entirely|rfc ?\\d+|list of|array of|sequence of|series of|block of|form of) ){0,6}[\"'`*]{0,2}";
/** What may follow the name of a format that is demanded; "JSON and YAML" and "JSON parser" may not. */
const AFTER =
  "[\"'`*]{0,2}(?=[- ]w/|(?:[- ](?:formatt?(?:ed|ing)?|notation|syntax|style|form|encoded|objects?|arrays?|documents?|files?|output|markup|blocks?|response|answer|reply|list|string|structure|dictionary|schema|data|code|text|snippet|fragment|table|payload|body|representation|rows?|lines?|records?|with|containing|contains|having|whose|that|which|where|wherein|for|in|of|using|so|please|without|including|like|as|and (?:nothing|no|do not|don't|make|ensure|include|use|keep|give|only|it|then|the|also|must)|but|only|exactly|matching|according|following|conforming|sorted|ordered|listing|showing|mapping|comparing|summari[sz]ing|describing|representing|from|on|to|by|instead|rather|not|no|at|under|per|because|inside|within|between|wrapped|enclosed|right|here|this|these|your|i|we|or nothing|is|are|should|must|will)\\b)|\\s*[.,;:!?(){}\\[\\n`\"'—–-]|\\s*$)";

const VERBS =
  "(?:return|output|respond|reply|answer|deliver|provide|produce|format|give|present|write|supply|submit|convert|export|render|create|generate|print|list|extract|summari[sz]e|classify|encode|express|structure|organi[sz]e|put|wrap|enclose|show|display|report|send|emit|make|build|compose|transform|serialize|prepare|design|represent|lay out|set out|arrange|collect|compile|draft|describe|compare|explain|record|translate|state|rank|tabulate|use|break down|outline|rewrite|reformat|place|style|identify|analy[sz]e|plan|tell|propose|suggest|name|have|turn|change|bring|rework)";
const DIRECT =
  "(?:return|output|respond with|reply with|answer with|deliver|provide|produce|give|present|write|supply|submit|create|generate|print|emit|make|build|compose|prepare|design|show|send|draw(?: up)?|use|include|add|display|return only|i (?:want|need|expect)|we (?:want|need|expect)|i(?:'?d| would) like)(?: (?:me|us|back|it|them|everything|your (?:answer|response|output|reply)|the (?:answer|response|output|result)s?))?(?: (?:with|using|as|in|via))?";
const CLAUSE =
  "(?:^|[,;:(–—-]\\s*|\\b(?:and|then|please|also|you|must|should|will|now|just|simply|only|finally|kindly|always|to|but|me|task is to|us|can|could|or|afterwards|directly|carefully|step by step)\\s+)";
/** Words between verb and format that make the format that of a source, or something else's. */
const STOP =
  "(?:stored|saved|given|provided|available|received|sent|parsed?|parsing|how to|why|versus|vs|supports?|supported|accepts?|accepting|reads?|reading|takes?|instead|rather|not|never|avoid|without|input|convert|converted|from (?:a|the|this)|difference|no longer|other than)";
const GAP = `(?:(?!\\b${STOP}\\b)[^.;\\n]){0,160}?`;
const SUBJECT =
  "(?:(?:your|the|this|that|these|all|every|each) )?(?:(?:entire|whole|complete|full|final|overall|actual|resulting) ){0,3}(?:outputs?|responses?|reply|replies|answers?|deliverables?|submission|results?|report|summary|text|list|work|thing|content|email|letter|essay|it|everything|article|post|data|information|comparison|overview|story|plan|resume|itinerary|schedule)";
const MODAL =
  "(?:must|should|shall|has to|have to|needs? to|is to|are to|will|ought to|is|are|be|to be|may only)(?: (?:only|always|strictly|also|all|solely))?(?: (?:be|consist (?:only |solely )?of|contain only|contain|include|have|follow|use|come|appear|conform to))?(?: (?:only|entirely|completely|fully|strictly|returned|given|formatted|presented|provided|written|output|delivered|wrapped|enclosed|structured|organi[sz]ed|expressed|encoded|displayed|submitted|in the form of|contained|placed|put|styled|rendered|laid out|set out|arranged|made)){0,3}(?: (?:as|in|into|to|using|with|inside|within|of))?";

/** Programs, whose output or input a format may be. */
const PROGRAM =
  "(?:functions?|scripts?|programs?|endpoints?|apis?|parsers?|class(?:es)?|methods?|servers?|library|libraries|services?|components?|apps?|applications?|cli|bots?|quer(?:y|ies)|commands?|modules?|tools?|pipelines?|routines?|macros?|handlers?|routes?|code|regex|software|websites?|plugins?|crawlers?|scrapers?|tests?|assertions?|models?|systems?|platforms?)";
const ABOUT_PROGRAM = new RegExp(
  `\\b${PROGRAM}\\b(?:(?!\\band (?:return|respond|reply|output your|give)\\b)[^.;:]){0,80}\\b(?:that|which|to|should|must|will|returns?|outputs?|prints?|accepts?|reads?|taking|takes|whose|for)\\b`,
  "i",
);
const NEGATION =
  /\b(?:not|never|n't|avoid|without|instead of|rather than|no|neither|nor)\b[^,;:]{0,60}$/i;
const HEDGE =
  /\b(?:if (?!you(?:'d)? (?:please|don't mind))|unless|optional(?:ly)?|ideally|prefer(?:ably|red)?|could be|might|may be|can be|can also|eg|for example|for instance|such as|feel free|bonus|nice to have|either|whether|you (?:can|may|could|might)|how (?:to|do|does|would|can)|why|what (?:is|are)|explain what|allowed|permitted|also accept)\b/i;
const TRAILING_HEDGE =
  /^[^.;,]{0,30}\b(?:if (?:possible|you (?:can|like|want|prefer|wish)|needed|helpful|appropriate|applicable|it helps|that helps)|where (?:possible|appropriate|helpful)|as (?:needed|appropriate)|or (?:csv|json|yaml|xml|html|markdown|a |an |plain|text|bullet|similar|something))\b/i;
const WHOLE =
  /\b(?:entire(?:ly)?|whole|complete|full|all of (?:your|the)|everything)\b[^.;]{0,40}\b(?:output|response|reply|answer|thing|text|content|deliverable|submission)\b/i;
const ABOUT_REPLY =
  /\b(?:your (?:entire |whole |full |final |complete )*(?:response|reply|answer|output|deliverable|submission)|respond|reply|(?:entire|whole) (?:response|reply|answer|output)|give me|send me|i (?:want|need))\b/i;

const OTHER_LANGUAGES = (name: string) =>
  `\\b(?:gib|geben sie|gebt|liefere?|antworten?(?: sie)?|erstellen?|schreiben?|formatieren?|ausgabe|devuelve|devuelva|responde|responda|escribe|entrega|genera|proporciona|da|renvoie[sz]?|renvoyez|réponds|répondez|donnez?|retourne[sz]?|fournis(?:sez)?|rispondi|restituisci|scrivi|fornisci|retorne|escreva|forneça|gere|crie|entregue|geef|schrijf|antwoord|lever)\\b[^.;\\n]{0,120}?\\b(?:als|en(?: formato)?|au format|no formato|em(?: formato)?|in(?: formato)?|im|sous forme de|en forma de|como|come|comme) (?:(?:eine?[nrsm]?|une?|una?|um|uma|gültiges|valides|reines|einzelnes|objeto|objet|oggetto|tableau|tabla|tabela|tabella|válido|valide) ){0,3}${name}`;

const cache = new Map<string, RegExp[]>();

function compilePatterns(name: string): RegExp[] {
  const known = cache.get(name);
  if (known) return known;
  const format = `${ADJECTIVES}(?:${name})${AFTER}`;
  const compiled = [
    `${CLAUSE}${VERBS}\\b${GAP}[ (](?:as|in|into|to|using|with|via|by means of) ${format}`,
    `${CLAUSE}(?:wrap|put|place|enclose)\\b${GAP}\\b(?:inside|within) ${format}`,
    `${CLAUSE}${DIRECT} ${format}`,
    `\\b${SUBJECT} ${MODAL} ${format}`,
    `^(?:(?:required|expected|desired|the|final|answer) )?(?:output|response|answer|reply|result|deliver|deliverables?|return|file|format)?[ -]?(?:format|formatting|type|style|deliverables?|output|response|answer)?\\s?(?:[:=]|is|[–—-]|\\() ?${format}`,
    `\\b(?:formatted|structured|presented|returned|delivered|wrapped|enclosed|organi[sz]ed|laid out|arranged|set out|output|displayed|shown|listed) (?:as|in|into|using|with|inside|within) ${format}`,
    `\\b(?:i|we)(?:'?d| would)? (?:want|need|like|expect|require)\\b${GAP}\\b(?:as|in|to be|be|into|using) (?:in )?${format}`,
    `^(?:only |just |exclusively |strictly )?${format.replace(AFTER, "")} (?:only|please|format(?:,? please| only)|output only|and nothing else)\\b`,
    `\\b(?:only|nothing but|nothing (?:other|else) than|anything (?:but|other than|except)|exclusively|solely) ${format}`,
    `\\b(?:ensure|make sure|be sure|check|verify|guarantee|remember|note)\\b[^.;]{0,80}?\\b(?:is|be|are|as|in|into|contains?|includes?|uses?|follows?) (?:in |as )?${format}`,
    `^(?:as|in|into|using|with) ${format}`,
    OTHER_LANGUAGES(`(?:${name})(?![\\p{L}-])`),
  ].map((source) => new RegExp(source, "iu"));
  cache.set(name, compiled);
  return compiled;
}

/**
 * Finds the sentences of a task that plainly demand a format of the deliverable. `name` is the
 * source of a pattern. Ignores wishes, alternatives, negations, sources, and what programs return.
 * @param options.isAlwaysReply Whether only replies have this format, never what programs return.
 */
export function findDemands(task: string, name: string, { isAlwaysReply = false } = {}): Demand[] {
  const mention = new RegExp(name, "iu");
  if (!mention.test(task)) return [];
  const statements = listTaskSentences(task).map(({ text }) => text);
  const isProgramming = !isAlwaysReply && asksForCode(task);
  return statements.flatMap((raw, index) => {
    const statement = maskQuotations(raw.slice(0, 1_000));
    if (!mention.test(statement)) return [];
    for (const pattern of compilePatterns(name)) {
      const match = pattern.exec(statement);
      if (!match) continue;
      const end = match.index + match[0].length;
      const before = statement.slice(0, end);
      // The verb itself is not negated, and no wish or condition comes before it.
      const lead = statement.slice(0, match.index);
      if (NEGATION.test(lead) && !/^anything /i.test(match[0])) continue;
      if (/(?:\b(?:not|never|avoid|without)|n't)\b/i.test(match[0])) continue;
      if (HEDGE.test(before) || TRAILING_HEDGE.test(statement.slice(end))) continue;
      if (
        ABOUT_PROGRAM.test(before) &&
        !/\byour (?:entire |whole |final )?(?:response|reply|answer|output)\b/i.test(before)
      )
        continue;
      if (isProgramming && !ABOUT_REPLY.test(statement)) continue;
      return [
        {
          statement: raw,
          rest: raw.slice(end),
          next: statements.slice(index + 1, index + 4),
          isWhole: WHOLE.test(statement),
        },
      ];
    }
    return [];
  });
}

/** Replaces the inside of quotations of several words by dots, keeping the length. */
function maskQuotations(sentence: string): string {
  return sentence.replaceAll(/(["“«])([^"“”«»]{3,400})(["”»])/g, (whole, open, inside, close) =>
    /\s\S+\s/.test(inside) ? `${open}${"·".repeat(inside.length)}${close}` : whole,
  );
}

const NO_OTHER_TEXT =
  /\b(?:no|without|nothing|not|don't|never|free of|zero)\b[^.;]{0,60}\b(?:(?:other|additional|extra|further|surrounding|introductory|explanatory|accompanying|any|conversational|leading|trailing) (?:text|prose|words|commentary|content|output|information|explanations?|characters|comments|remarks|notes|sentences)|explanations?|explanatory|commentary|preamble|prose|introductions?|introductory|pleasantries|text (?:before|after|outside|around)|(?:before|after|outside|around) (?:or (?:before|after) )?the (?:table|list|json|code)|anything (?:else|before|after|outside|other)|conversation|chatter|filler|explain)\b|\bnothing (?:else|more|but)\b|\b(?:only|just|solely|exclusively|strictly)\b/i;

/**
 * Returns whether a demand, or a sentence next to it, excludes everything but the format. `name` is
 * the pattern of its name.
 */
export function excludesOtherText({ statement, next, isWhole }: Demand, name: string): boolean {
  if (isWhole) return true;
  const limits = new RegExp(
    `\\b(?:only|just|solely|exclusively|strictly|nothing but|nothing (?:other|else) than|ausschließlich|nur|solamente|únicamente|uniquement|seulement|apenas|somente|solo)\\b(?: (?:return|output|respond|reply|answer|write|give|provide|print|produce|with|in|as|using|an?|the|one|single|valid|raw|pure|plain|strict|well-formed|proper|markdown|md|formatted|me|be|to|contain|containing|consist|of|use|als|en|au|em|formato?|format)){0,6} (?:${name})|(?:${name})(?: (?:object|array|format|output|table|rows|document|file|list|code|data)){0,2},? (?:only\\b(?! (?:the|those|if|when|for|a|one|two|of|in))|and nothing else|nothing else)`,
    "iu",
  );
  if (limits.test(statement)) return true;
  const further = /^.{0,400}$/s.exec(statement) ? statement : "";
  return [further, ...next.slice(0, 2)].some(
    (sentence) =>
      NO_OTHER_TEXT.test(sentence.replace(/\b(?:only|just|solely|exclusively|strictly)\b/gi, "")) &&
      /\b(?:text|prose|explan\w+|commentary|preamble|output|nothing|anything|introduct\w+|words|content|pleasantries|chatter|filler)\b/i.test(
        sentence,
      ),
  );
}
