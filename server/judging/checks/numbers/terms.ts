/** Words that name nothing in particular, in labels and questions. */
const STOP_WORDS = new Set(
  `a an the of and or in for to from by on at as is was were are be been its their our this that these those with
  during between through thru until since over under per year years ended ending end fiscal fy annual quarter month period date amount amounts value
  values figure figures number company companies total totals what how much many did do does has have had than it they
  reported recorded respectively based using according table data report statement statements following above below provided
  given shown information context answer question please calculate compute determine find give state tell round
  decimal decimals place places nearest dollar dollars usd rmb cny hkd inr jpy chf sek aud cad unaudited million millions thousand thousands billion billions us
  inc corp corporation ltd llc plc january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
  all net-of s t percent percentage`
    .split(/\s+/)
    .filter(Boolean),
);

/** Returns the words of a label or question that carry meaning, in singular and lower case. */
export function listTerms(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}][\p{L}\p{N}&]*/gu) ?? [])
    .map((word) => toSingular(word))
    .filter((word) => !STOP_WORDS.has(word) && word.length > 1 && !PERIOD.test(word));
}

const PERIOD = /^(?:(?:fy|cy)\d{2,4}|[qh]\d)$/;

export function toSingular(word: string): string {
  if (word.length <= 3 || /(?:ss|us|is)$/.test(word)) return word;
  if (/ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?:ch|sh|x|ss)es$/.test(word)) return word.slice(0, -2);
  return word.replace(/s$/, "");
}

/** Returns the calendar years that a text names, in order, without duplicates. */
export function listYears(text: string): number[] {
  const years: number[] = [];
  // Filings also run day and year together, as in "dec 292012".
  const pattern =
    /(?:(?<=\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]{0,6}[ .]{0,3}\d{1,2})|(?<![\d.,$]))(?:FY\s?|CY\s?)?((?:19|20)\d\d)(?![\d%]|[.,]\d)|\bFY\s?'?(\d\d)\b|\d\/(\d\d)(?!\d|\/)|[’'](\d\d)\b/gi;
  for (const [, full, ...short] of text.matchAll(pattern)) {
    const digits = short.find(Boolean);
    const year = full ? Number(full) : toCentury(Number(digits));
    if (!years.includes(year)) years.push(year);
  }
  return years;
}

const toCentury = (year: number) => (year >= 60 ? 1900 + year : 2000 + year);

/** Returns a number that grows with the quarter or month within a year; 0 if none is named. */
export function toSeasonOrder(season: string | undefined): number {
  if (season === undefined) return 0;
  const quarter = /^q([1-4])$/.exec(season)?.[1];
  return quarter ? Number(quarter) * 3 : MONTHS.indexOf(season) + 1;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Returns quarters, halves and months that a text names, such as "q1" and "mar". */
export function listSeasons(text: string): string[] {
  const quarters = [
    ...text.matchAll(/\b(?:q([1-4])|([1-4])q|(first|second|third|fourth) quarter)\b/gi),
  ].map(
    ([, a, b, word]) =>
      `q${a ?? b ?? ["first", "second", "third", "fourth"].indexOf((word ?? "").toLowerCase()) + 1}`,
  );
  const months = [
    ...text.matchAll(/\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:[a-z]{1,6})?\b/gi),
  ]
    .filter(([word]) =>
      /^(?:january|february|march|april|may|june|july|august|september|sept|october|november|december|jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)$/i.test(
        word,
      ),
    )
    .map(([, month = ""]) => month.toLowerCase());
  return [...new Set([...quarters, ...months])];
}
