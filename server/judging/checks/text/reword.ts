// cspell:disable
/** Counts, units and marks of one language, by their English forms. */
interface Wording {
  /** Matches if a text has demands in this language. */
  detect: RegExp;
  numbers: Record<string, string>;
  units: Record<string, string>;
  comparisons: Record<string, string>;
  /** Sources of patterns with their replacement, applied in order. */
  phrases: [pattern: string, english: string][];
}

const QUOTE = '"[^"\\n]{1,200}"|«[^»\\n]{1,200}»|“[^”\\n]{1,200}”';

const GERMAN: Wording = {
  detect:
    /\b(?:und|oder|nicht|das|der|den|mit|beschreibe|eine[nmrs]?|bitte|schreibe?n?|antworte|nenne|erkläre|verwende|höchstens|mindestens|maximal|genau|auf deutsch)\b/i,
  numbers: {
    "eine[mnr]?": "one",
    zwei: "two",
    drei: "three",
    vier: "four",
    fünf: "five",
    sechs: "six",
    sieben: "seven",
    acht: "eight",
    neun: "nine",
    zehn: "ten",
    zwölf: "twelve",
  },
  units: {
    "Wörtern?|Worten?": "words",
    "Sätzen?|Satz": "sentences",
    "Absätzen?|Absatz": "paragraphs",
    "Zeilen?": "lines",
    Zeichen: "characters",
    "(?:Aufzählungs|Stich)punkten?|Spiegelstrichen?": "bullet points",
    "Abschnitten?": "sections",
    Überschriften: "headings",
    Strophen: "stanzas",
    Fragen: "questions",
    Tipps: "tips",
    "Gründen?": "reasons",
    "Beispielen?": "examples",
    Ideen: "ideas",
  },
  comparisons: {
    "höchstens|maximal|max\\.|nicht mehr als|nicht länger als|bis zu": "at most",
    "mindestens|wenigstens|nicht weniger als|mind\\.": "at least",
    "genau|exakt": "exactly",
    "etwa|circa|ca\\.|ungefähr|rund": "about",
    "weniger als|unter": "under",
    "mehr als|über": "more than",
  },
  phrases: [
    ['„([^“”"\\n]{1,200})[“”"]', '"$1"'],
    ["\\b(?:das|den|die) (?:Wort|Wörter|Begriffe?|Ausdruck|Hashtag)(?= (?:QUOTE))", "the word"],
    ["\\bohne (the word (?:QUOTE))", "without using $1"],
    ["\\b(?:verwende|benutze|nutze)(?:n Sie|t)? (the word (?:QUOTE)) nicht", "do not use $1"],
    ["\\b(?:verwende|benutze|nutze)(?:n Sie|t)? (?:nicht|nie|niemals) (?=the word)", "do not use "],
    ["\\b(?:verwende|benutze|nutze)(?:n Sie|t)?(?: bitte)? (?=the word)", "use "],
    ["\\bvermeide(?:n Sie|t)? (?=the word)", "avoid "],
    ["\\berwähne(?:n Sie|t)? (?=the word|(?:QUOTE))", "mention "],
    [
      "(QUOTE) (?:darf|dürfen|soll|sollen) nicht (?:vorkommen|verwendet werden|auftauchen)",
      "$1 must not appear",
    ],
    ["(QUOTE) (?:ist|sind) (?:verboten|tabu|nicht erlaubt)", "$1 is forbidden"],
    [
      "(QUOTE) (?:muss|müssen|soll|sollen|sollte) (?:vorkommen|enthalten sein|auftauchen|verwendet werden)",
      "$1 must appear",
    ],
    [
      "(QUOTE) (?:muss|soll) (mindestens|genau|höchstens) (zwei|drei|vier|fünf|\\d+)[- ]?mal (?:vorkommen|auftauchen)",
      "$1 must appear $2 $3 times",
    ],
    [
      "(?:\\b(?:verwende|benutze|nutze|setze)(?:n Sie|t)? )?\\b(?:keine?n?|ohne)(?: einzige[sn]?)? (?:Kommas?|Kommata)\\b(?! (?:nach|vor|in|zwischen|am|bei))",
      "use no commas",
    ],
    [
      "(?:\\b(?:verwende|benutze|nutze|setze)(?:n Sie|t)? )?\\b(?:keine?|ohne) Ausrufezeichen\\b(?! (?:nach|vor|in|zwischen|am|bei))",
      "use no exclamation marks",
    ],
    [
      "(?:\\b(?:verwende|benutze|nutze|setze)(?:n Sie|t)? )?\\b(?:keine?|ohne) Fragezeichen\\b(?! (?:nach|vor|in|zwischen|am|bei))",
      "use no question marks",
    ],
    ["(?:\\b(?:verwende|benutze|nutze)(?:n Sie|t)? )?\\b(?:keine|ohne) Emojis\\b", "use no emojis"],
    [
      "(?:\\b(?:verwende|benutze|nutze)(?:n Sie|t)? )?\\b(?:keine|ohne) (?:Aufzählungen|Aufzählungspunkte|Stichpunkte)\\b",
      "use no bullet points",
    ],
    [
      "\\b(?:(?:komplett|vollständig|nur|ausschließlich|durchgehend|alles) )?in Großbuchstaben\\b",
      "entirely in all capital letters",
    ],
    [
      "\\b(?:(?:komplett|vollständig|nur|ausschließlich|durchgehend|alles) )?(?:in Kleinbuchstaben|kleingeschrieben|klein geschrieben)\\b",
      "entirely in all lowercase letters",
    ],
    [
      "\\b(?:beende|schließe)(?:n Sie|t)? (?:(?:die|deine|den|das|Ihre|Ihren|deinen) [A-ZÄÖÜ]\\w+ )?mit (?:dem Satz|den Worten|dem Wort)?:? ?(?=(?:QUOTE))",
      "end the answer with ",
    ],
    [
      '\\b(?:beende|schließe)(?:n Sie|t)? (?:(?:die|deine|den|das|Ihre|Ihren|deinen) [A-ZÄÖÜ]\\w+ )?mit dem Satz: ?([^"\\n.!?]{2,80}[.!?])',
      'end the answer with "$1"',
    ],
    [
      "\\b(?:beginne|starte|fange)(?:n Sie|t)? (?:(?:die|deine|den|das|Ihre|Ihren|deinen) [A-ZÄÖÜ]\\w+ )?mit (?:dem Satz|den Worten|dem Wort)?:? ?(?=(?:QUOTE))",
      "begin the answer with ",
    ],
    ["\\bin die Abschnitte (?=(?:QUOTE))", "; use the sections titled "],
    [
      "\\bantworte(?:n Sie|t)?\\b(?=[^.;\\n]{0,120}\\bauf (?:Deutsch|Englisch|Französisch|Spanisch|Italienisch)\\b)",
      "answer",
    ],
    [
      "\\b(?:schreibe?|verfasse|erstelle)(?:n Sie|t)?\\b(?=[^.;\\n]{0,120}\\bauf (?:Deutsch|Englisch|Französisch|Spanisch|Italienisch)\\b)",
      "write",
    ],
    ["\\bauf Deutsch\\b", "in German"],
    ["\\bauf Englisch\\b", "in English"],
    ["\\bauf Französisch\\b", "in French"],
    ["\\bauf Spanisch\\b", "in Spanish"],
    ["\\bauf Italienisch\\b", "in Italian"],
    ["\\bund\\b", "and"],
    [", was\\b", ", what"],
  ],
};

const SPANISH: Wording = {
  detect:
    /\b(?:escribe|escriba|redacta|responde|responda|dame|explica|menciona|incluye|utiliza|palabras?|frases|párrafos?|como máximo|al menos|minúsculas|mayúsculas|en español)\b/i,
  numbers: {
    "una?": "one",
    dos: "two",
    tres: "three",
    cuatro: "four",
    cinco: "five",
    seis: "six",
    siete: "seven",
    ocho: "eight",
    nueve: "nine",
    diez: "ten",
    doce: "twelve",
  },
  units: {
    palabras: "words",
    "frases?|oraci(?:ón|ones)": "sentences",
    "párrafos?": "paragraphs",
    "líneas?": "lines",
    caracteres: "characters",
    viñetas: "bullet points",
    secciones: "sections",
    títulos: "headings",
    estrofas: "stanzas",
    preguntas: "questions",
    consejos: "tips",
    razones: "reasons",
    ejemplos: "examples",
    ideas: "ideas",
  },
  comparisons: {
    "como máximo|máximo(?: de)?|un máximo de|no más de|hasta|a lo sumo": "at most",
    "al menos|como mínimo|mínimo(?: de)?|un mínimo de|por lo menos": "at least",
    "exactamente|justo": "exactly",
    "unas|unos|alrededor de|aproximadamente": "about",
    "menos de": "under",
    "más de": "more than",
  },
  phrases: [
    [
      "\\bno (?:uses?|utilices?|superes?|excedas?|escribas?|pases? de)(?: más de)? (?:las |los )?(?=\\d+ (?:palabras|caracteres|líneas|frases))",
      "no más de ",
    ],
    [
      "\\b(\\d+) (palabras|caracteres|líneas|frases|párrafos) (?:como máximo|máximo)",
      "no más de $1 $2",
    ],
    ["\\b(\\d+) (palabras|caracteres|líneas|frases|párrafos) como mínimo", "al menos $1 $2"],
    ["\\b[ye] incluy[ea]\\b", "and include"],
    ["\\bincluy[ea]\\b", "include"],
    ["\\b(?:las? )(?:palabras?|expresión|frase)(?= (?:QUOTE))", "the word"],
    ["\\b(?:sin (?:usar|utilizar|mencionar|emplear|incluir)) (?=the word)", "without using "],
    ["\\bno (?:uses?|utilices?|menciones?|emplees?|include) (?=the word)", "do not use "],
    ["\\bevit[ae] (?=the word)", "avoid "],
    ["\\bmencion[ae] (?=the word|(?:QUOTE))", "mention "],
    ["\\bus[ae] (?=the word)", "use "],
    ["(QUOTE) (?:debe|tiene que) aparecer", "$1 must appear"],
    ["(QUOTE) no (?:debe|puede) aparecer", "$1 must not appear"],
    ["(?:\\bno (?:uses?|utilices?) |\\bsin )comas\\b", "use no commas"],
    [
      "(?:\\bno (?:uses?|utilices?) |\\bsin )(?:signos de exclamación|exclamaciones)\\b",
      "use no exclamation marks",
    ],
    ["(?:\\bno (?:uses?|utilices?) |\\bsin )emojis\\b", "use no emojis"],
    ["(?:\\bno (?:uses?|utilices?) |\\bsin )viñetas\\b", "use no bullet points"],
    [
      "\\b(?:todo |toda |completamente |solo |únicamente )?en mayúsculas\\b",
      "entirely in all capital letters",
    ],
    [
      "\\b(?:todo |toda |completamente |solo |únicamente )?en minúsculas\\b",
      "entirely in all lowercase letters",
    ],
    ["\\bdebe (?:empezar|comenzar) con\\b", "it must begin with"],
    [
      "\\b(?:empieza|comienza|empiece|comience) (?:(?:la|tu|el|su) \\w+ )?con\\b",
      "begin the answer with",
    ],
    ["\\b(?:debe )?terminar con\\b", "must end with"],
    [
      "\\b(?:termina|acaba|finaliza|termine|finalice) (?:(?:la|tu|el|su) \\w+ )?con\\b",
      "end the answer with",
    ],
    ["\\bdame\\b", "give me"],
    ["\\ben una lista numerada\\b", "in a numbered list"],
    ["\\bresponda?e?\\b(?=[^.;\\n]{0,120}\\ben (?:español|inglés|francés|alemán)\\b)", "answer"],
    [
      "\\b(?:escrib[ae]|redact[ae])\\b(?=[^.;\\n]{0,120}\\ben (?:español|inglés|francés|alemán)\\b)",
      "write",
    ],
    ["\\ben español\\b", "in Spanish"],
    ["\\ben inglés\\b", "in English"],
    ["\\ben francés\\b", "in French"],
    ["\\ben alemán\\b", "in German"],
    ["\\by (?=(?:must|end|begin|use|mention|include|do not)\\b)", "and "],
  ],
};

/** Common slips in the words that demands are made of. */
const MISSPELT: [pattern: string, correct: string][] = [
  ["exc?atly|exactely|exatly|exacly", "exactly"],
  ["sentan?c?es|sentanses|sentenses", "sentences"],
  ["sentance", "sentence"],
  ["atleast|at leest", "at least"],
  ["atmost", "at most"],
  ["wrods|wrds", "words"],
  ["paragrahs?|pargraphs?|paragaphs?", "paragraphs"],
  ["numberd", "numbered"],
  ["bulet", "bullet"],
  ["evry", "every"],
  ["seperate", "separate"],
  ["twise", "twice"],
  ["anser|answar|awnser", "answer"],
  ["menton", "mention"],
  ["capitel|captial", "capital"],
  ["lowercas", "lowercase"],
  ["charachters|charecters|caracters", "characters"],
  ["maximun", "maximum"],
  ["minimun", "minimum"],
  ["dont", "don't"],
  ["whith", "with"],
  ["wirte|wright a", "write"],
  ["sumarize|summerize", "summarize"],
  ["inlcude|inculde", "include"],
  ["nothing els", "nothing else"],
];
// cspell:enable

const join = (words: Record<string, string>) => Object.keys(words).join("|");

/** Creates the function that replaces demands of one language by their English form. */
function createRewording({ detect, numbers, units, comparisons, phrases }: Wording) {
  const compiled = phrases.map(
    ([source, english]) => [new RegExp(source.replaceAll("QUOTE", QUOTE), "giu"), english] as const,
  );
  const amount = `\\d{1,5}|${join(numbers)}`;
  const length = new RegExp(
    `(?<![\\p{L}\\d])(?:(?:in|mit|aus|auf|en|con|de) )?(?:(?<comparison>${join(comparisons)}) )?(?<first>${amount})(?:(?:\\s?[-–]\\s?| (?:bis|und|a|y) )(?<second>${amount}))? (?:[\\p{Ll}]{3,12}en )?(?<unit>${join(units)})(?!\\p{L})`,
    "giu",
  );
  const between = new RegExp(
    // cspell:disable-next-line
    `(?<![\\p{L}])(?:zwischen|entre) (${amount}) (?:und|y) (${amount}) (${join(units)})(?!\\p{L})`,
    "giu",
  );
  const find = (words: Record<string, string>, found: string) =>
    Object.entries(words).find(([source]) =>
      new RegExp(`^(?:${source})$`, "iu").test(found),
    )?.[1] ?? found;
  return (text: string): string => {
    if (!detect.test(text)) return text;
    const counted = compiled
      .slice(0, 4)
      .reduce((rest, [pattern, english]) => rest.replace(pattern, english), text)
      .replace(
        between,
        (_, low, high, unit) =>
          `between ${find(numbers, low)} and ${find(numbers, high)} ${find(units, unit)}`,
      )
      .replace(length, (...match) => {
        const {
          comparison,
          first = "",
          second,
          unit = "",
        }: Record<string, string | undefined> = match.at(-1);
        const high = second ? ` to ${find(numbers, second)}` : "";
        const compared = comparison ? `${find(comparisons, comparison)} ` : "";
        const english = find(units, unit);
        const lead = /^(?:tips|reasons|examples|ideas|questions)$/.test(english) ? "" : "in ";
        return `${lead}${compared}${find(numbers, first)}${high} ${english}`;
      });
    return compiled.reduce((rest, [pattern, english]) => rest.replace(pattern, english), counted);
  };
}

const REWORDINGS = [GERMAN, SPANISH].map(createRewording);
const SLIPS = MISSPELT.map(
  ([source, correct]) => [new RegExp(`\\b(?:${source})\\b`, "gi"), correct] as const,
);

/** Rules in the form of labels: "last line: …". */
const LABELS: readonly (readonly [RegExp, string])[] = [
  [
    /^(\W{0,4})(?:last (?:line|sentence)|ending|closing (?:line|words))\s?: ?(?=["“])/gim,
    "$1End with ",
  ],
  [
    /^(\W{0,4})(?:first (?:line|sentence)|opening (?:line|words))\s?: ?(?=["“])/gim,
    "$1Begin with ",
  ],
];

/** Longer texts are material rather than demands. */
const MAX_LENGTH = 20_000;

/**
 * Replaces common German and Spanish demands on length, words, case and language by their English
 * form, and corrects frequent misspellings, so that extractors need to know only one wording.
 */
export function rewordDemands(text: string): string {
  if (text.length > MAX_LENGTH) return text;
  const corrected = [...SLIPS, ...LABELS].reduce(
    (rest, [pattern, correct]) => rest.replace(pattern, correct),
    text,
  );
  return REWORDINGS.reduce((rest, reword) => reword(rest), corrected);
}
