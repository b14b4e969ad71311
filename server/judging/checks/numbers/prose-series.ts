import { type Exact, type Figure, readFigures, toSigned } from "./figures";
import { listTerms } from "./terms";

/** Figures that a sentence gives for several years: "sales were $5 million in 2018 and $6 million in 2019". */
export interface ProseSeries {
  /** Words before the first figure. */
  terms: string[];
  years: number[];
  values: Exact[];
  isPercent: boolean;
}

const MAX_SENTENCES = 2_000;
/** Verbs and the like, which do not name what the figures are of. */
const NOT_NAMES = new Set(
  listTerms(
    "rose fell grew increased decreased declined dropped totaled totalled amounted reached stood came went had earned posted generated compared respectively approximately about which while",
  ),
);

/** Returns the series of figures that sentences state. */
export function readProseSeries(prose: string): ProseSeries[] {
  return prose
    .split(/\n|(?<=[.!?;])\s+/)
    .slice(0, MAX_SENTENCES)
    .filter((sentence) => sentence.length < 600 && /\b(?:19|20)\d\d\b/.test(sentence))
    .flatMap((sentence) => readSentence(sentence) ?? []);
}

function readSentence(sentence: string): ProseSeries | null {
  const marks = readFigures(sentence);
  const figures = marks.filter(({ isYear }) => !isYear);
  const years = marks.filter(({ isYear }) => isYear);
  if (figures.length < 2 || figures.length !== years.length) return null;
  const pairs = pairInTurn(sentence, marks) ?? pairRespectively(sentence, figures, years);
  if (!pairs) return null;
  const [first] = figures;
  const label = sentence.slice(0, first?.from ?? 0).slice(-120);
  const stated = pairs.map(([, year]) => Number(year.value.toFixed()));
  if (new Set(stated).size < stated.length) return null;
  return {
    terms: listTerms(label).filter((term) => !NOT_NAMES.has(term)),
    years: stated,
    values: pairs.map(([figure]) => toSigned(figure)),
    isPercent: pairs.every(([figure]) => figure.isPercent),
  };
}

/** Pairs figures with the years that follow each of them: "$5 in 2018 and $6 in 2019". */
function pairInTurn(sentence: string, marks: readonly Figure[]): [Figure, Figure][] | null {
  const pairs: [Figure, Figure][] = [];
  for (let at = 0; at < marks.length; at += 2) {
    const [figure, year] = marks.slice(at, at + 2);
    if (!figure || !year || figure.isYear || !year.isYear) return null;
    const between = sentence.slice(figure.to, year.from);
    if (between.length > 30 || /[;:]/.test(between)) return null;
    pairs.push([figure, year]);
  }
  return pairs;
}

function pairRespectively(
  sentence: string,
  figures: readonly Figure[],
  years: readonly Figure[],
): [Figure, Figure][] | null {
  if (!/\brespectively\b/i.test(sentence)) return null;
  const isApart =
    figures.every(({ from }) => years.every((year) => year.from > from)) ||
    figures.every(({ from }) => years.every((year) => year.from < from));
  if (!isApart) return null;
  return figures.flatMap((figure, index): [Figure, Figure][] => {
    const year = years[index];
    return year ? [[figure, year]] : [];
  });
}
