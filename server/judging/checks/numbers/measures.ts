import type { Line, Point } from "./data-lines";
import type { Exact } from "./figures";
import { listTerms } from "./terms";
import { listNameTerms, normaliseWords } from "./vocabulary";

// Parts of patterns. cspell:ignore ebit shareowners operat liabilit ebitda bcapex ation

interface Measure {
  /** How questions name it. */
  names: string[];
  /** Parts of the formula, by how statements label them. */
  parts: RegExp[];
  /** Returns every value that a careful reader would accept. */
  compute(...parts: Exact[]): Exact[];
  /** Index of the part of which the average of two years is also used. */
  averaged?: number;
}

const REVENUE =
  /^\W*(?:total |net |consolidated )*(?:operating )?(?:revenues?|sales|turnover)(?:,? net)?\b(?! growth| per)/i;
const COST_OF_REVENUE =
  /\bcosts? of (?:goods sold|products? sold|sales|revenues?|net sales|net revenues?)\b|\bcogs\b/i;
const NET_INCOME =
  /\bnet (?:income|earnings|profit|loss)\b(?! (?:per|margin|attributable to non))|\bprofit for the (?:year|period)\b/i;
const OPERATING_INCOME =
  /\b(?:operating (?:income|profit|loss|earnings)|(?:income|profit|earnings) from operations|ebit)\b(?! margin)/i;
const GROSS_PROFIT = /\bgross (?:profit|income)\b(?! margin)|^\W*gross margin\W*$/i;
const PRETAX_INCOME =
  /\b(?:income|profit|earnings)(?: \(loss\))?(?: from [a-z ]{0,30})? before (?:provision for |benefit from )?(?:income )?tax(?:es|ation)?\b|\bpre-?tax (?:income|profit|earnings)\b/i;
const TAX =
  /\b(?:provision|benefit)(?: \([a-z]+\))? for (?:income )?tax(?:es)?\b|\bincome tax(?:es)?(?: expense| provision)?\W*$|\btax (?:expense|provision)\b/i;
const INTEREST = /\binterest expense\b|\bfinance costs?\b/i;
const DEPRECIATION = /\bdepreciation\b/i;
const CURRENT_ASSETS = /\btotal current assets\b|^\W*current assets\W*$/i;
const CURRENT_LIABILITIES = /\btotal current liabilities\b|^\W*current liabilities\W*$/i;
const TOTAL_ASSETS = /^\W*total assets\b/i;
const TOTAL_LIABILITIES = /^\W*total liabilities\W*$/i;
const DEBT = /\b(?:total |long-term )debt\b|^\W*(?:borrowings|debt)\W*$/i;
const DEBT_OR_LIABILITIES = new RegExp(`${DEBT.source}|${TOTAL_LIABILITIES.source}`, "i");
const EQUITY =
  /\btotal (?:stockholders|shareholders|shareowners)?['’]?s?['’]? ?equity\b(?! and)|^\W*(?:(?:stockholders|shareholders|shareowners)['’]? )?equity\W*$/i;
const OPERATING_CASH =
  /\bcash (?:flows? )?(?:provided by|from|generated (?:by|from)) (?:\(used (?:in|for)\) )?operat(?:ing activities|ions)\b|\boperating cash flows?\b/i;
const CAPITAL_SPENDING =
  /\bcapital (?:expenditures?|spending)\b|\bcapex\b|\b(?:purchases?|acquisitions?) of (?:property|fixed assets|pp&e)|\b(?:additions|payments) (?:to|for) property\b/i;
const INVENTORY = /\binventor(?:y|ies)\b/i;
const RECEIVABLES = /\b(?:accounts|trade) receivables?\b|^\W*(?:net )?receivables\b/i;
const PAYABLES = /\b(?:accounts|trade) payables?\b|^\W*payables\b/i;
const CASH = /^\W*cash\b(?! flow)/i;
const DIVIDENDS = /\bdividends?(?: paid| declared)?\b(?! per)/i;
const EPS = /\b(?:eps|(?:earnings|income) per (?:common )?share)\b/i;
const DPS = /\bdividends?(?: declared| paid)? per (?:common )?share\b/i;
const PRICE = /\b(?:share|stock|market|closing) price\b|\bshares? (?:trades?|closed?) at\b/i;

const divide = (a: Exact, b: Exact) => [a.div(b).abs()];
const subtractSize = (a: Exact, b: Exact) => [a.minus(b.abs())];
const toDays = (a: Exact, b: Exact) => [365, 360, 366].map((days) => a.div(b).abs().mul(days));

const MEASURES: Measure[] = [
  {
    names: ["operating margin", "operating profit margin"],
    parts: [OPERATING_INCOME, REVENUE],
    compute: divide,
  },
  {
    names: ["net profit margin", "net margin", "profit margin", "net income margin"],
    parts: [NET_INCOME, REVENUE],
    compute: divide,
  },
  {
    names: ["gross profit", "gross margin"],
    parts: [REVENUE, COST_OF_REVENUE],
    compute: subtractSize,
  },
  {
    names: ["gross margin", "gross profit margin"],
    parts: [GROSS_PROFIT, REVENUE],
    compute: divide,
  },
  {
    names: ["gross margin", "gross profit margin"],
    parts: [REVENUE, COST_OF_REVENUE],
    compute: (revenue, cost) => [revenue.minus(cost.abs()).div(revenue)],
  },
  { names: ["pretax margin", "pre-tax margin"], parts: [PRETAX_INCOME, REVENUE], compute: divide },
  {
    names: ["effective tax rate", "effective income tax rate"],
    parts: [TAX, PRETAX_INCOME],
    compute: divide,
  },
  {
    names: ["interest coverage ratio", "times interest earned"],
    parts: [OPERATING_INCOME, INTEREST],
    compute: divide,
  },
  {
    names: ["EBITDA"],
    parts: [OPERATING_INCOME, DEPRECIATION],
    compute: (a, b) => [a.plus(b.abs())],
  },
  {
    names: ["EBITDA margin"],
    parts: [OPERATING_INCOME, DEPRECIATION, REVENUE],
    compute: (a, b, c) => [a.plus(b.abs()).div(c as Exact)],
  },
  {
    names: ["current ratio", "working capital ratio"],
    parts: [CURRENT_ASSETS, CURRENT_LIABILITIES],
    compute: divide,
  },
  {
    names: ["working capital"],
    parts: [CURRENT_ASSETS, CURRENT_LIABILITIES],
    compute: subtractSize,
  },
  {
    names: ["quick ratio", "acid test ratio"],
    parts: [CURRENT_ASSETS, INVENTORY, CURRENT_LIABILITIES],
    compute: (assets, inventory, liabilities) => [
      assets.minus(inventory).div(liabilities as Exact),
    ],
  },
  {
    names: ["quick ratio", "acid test ratio"],
    parts: [CASH, RECEIVABLES, CURRENT_LIABILITIES],
    compute: (cash, receivables, liabilities) => [cash.plus(receivables).div(liabilities as Exact)],
  },
  { names: ["cash ratio"], parts: [CASH, CURRENT_LIABILITIES], compute: divide },
  { names: ["free cash flow"], parts: [OPERATING_CASH, CAPITAL_SPENDING], compute: subtractSize },
  {
    names: ["free cash flow margin"],
    parts: [OPERATING_CASH, CAPITAL_SPENDING, REVENUE],
    compute: (cash, spending, revenue) => [cash.minus(spending.abs()).div(revenue as Exact)],
  },
  {
    names: ["debt to equity ratio", "debt equity ratio"],
    parts: [DEBT_OR_LIABILITIES, EQUITY],
    compute: divide,
  },
  { names: ["liabilities to equity ratio"], parts: [TOTAL_LIABILITIES, EQUITY], compute: divide },
  {
    names: ["debt ratio", "debt to assets ratio"],
    parts: [DEBT_OR_LIABILITIES, TOTAL_ASSETS],
    compute: divide,
  },
  { names: ["equity ratio"], parts: [EQUITY, TOTAL_ASSETS], compute: divide },
  { names: ["net debt"], parts: [DEBT, CASH], compute: subtractSize },
  {
    names: ["return on assets", "ROA"],
    parts: [NET_INCOME, TOTAL_ASSETS],
    compute: divide,
    averaged: 1,
  },
  { names: ["return on equity", "ROE"], parts: [NET_INCOME, EQUITY], compute: divide, averaged: 1 },
  { names: ["asset turnover"], parts: [REVENUE, TOTAL_ASSETS], compute: divide, averaged: 1 },
  {
    names: ["inventory turnover"],
    parts: [COST_OF_REVENUE, INVENTORY],
    compute: divide,
    averaged: 1,
  },
  { names: ["receivables turnover"], parts: [REVENUE, RECEIVABLES], compute: divide, averaged: 1 },
  {
    names: ["days sales outstanding", "DSO"],
    parts: [RECEIVABLES, REVENUE],
    compute: toDays,
    averaged: 0,
  },
  {
    names: ["days inventory outstanding", "DIO"],
    parts: [INVENTORY, COST_OF_REVENUE],
    compute: toDays,
    averaged: 0,
  },
  {
    names: ["days payable outstanding", "DPO"],
    parts: [PAYABLES, COST_OF_REVENUE],
    compute: toDays,
    averaged: 0,
  },
  {
    names: ["dividend payout ratio", "payout ratio"],
    parts: [DIVIDENDS, NET_INCOME],
    compute: divide,
  },
  { names: ["dividend payout ratio", "payout ratio"], parts: [DPS, EPS], compute: divide },
  { names: ["dividend yield"], parts: [DPS, PRICE], compute: divide },
  {
    names: ["price earnings ratio", "price to earnings ratio", "P/E ratio"],
    parts: [PRICE, EPS],
    compute: divide,
  },
];

const MAX_COMBINATIONS = 60;

/** Returns the measures of known formulas that a question names, computed from the lines of a task. */
export function listMeasureLines(question: string, lines: readonly Line[]): Line[] {
  const asked = ` ${listTerms(normaliseWords(question)).join(" ")} `;
  const named = MEASURES.flatMap((measure) =>
    measure.names.map((name) => ({ measure, name, terms: listNameTerms(name) })),
  ).filter(({ terms }) => terms.length > 0 && asked.includes(` ${terms.join(" ")} `));
  return named
    .filter(
      ({ terms }) =>
        !named.some(
          (other) =>
            other.terms.length > terms.length && terms.every((term) => other.terms.includes(term)),
        ),
    )
    .flatMap(({ measure, name, terms }) =>
      listCombinations(measure, lines).flatMap((parts) => {
        const [first, second] = parts;
        if (!first || !second) return [];
        const computed = first.points.map((point) =>
          computeAt(measure, point, parts, /\baverage\b/i.test(question)),
        );
        const count = Math.max(...computed.map(({ length }) => length));
        return Array.from({ length: count }, (_, variant) =>
          toLine(
            { label: name, terms, sectionTerms: [], isTotal: false },
            parts,
            computed.flatMap((values) => values[variant] ?? []),
          ),
        );
      }),
    );
}

function toLine(name: Line["names"][0], parts: readonly Line[], points: Point[]): Line {
  const [first] = parts as [Line, ...Line[]];
  const isShared = parts.every(({ table }) => table === first.table);
  const other = isShared ? findSharedName(parts) : null;
  return {
    table: isShared ? first.table : -1,
    names: [name, other ?? { label: "", terms: [], sectionTerms: [], isTotal: false }],
    points,
    isPercent: false,
    isDerived: true,
  };
}

/** Returns the name of the row or column that the parts have in common. */
function findSharedName(parts: readonly Line[]) {
  const [first] = parts as [Line, ...Line[]];
  return (
    first.names.find((name) =>
      parts.every(({ names }) =>
        names.some((one) => one.terms.join() === name.terms.join() && one.isTotal === name.isTotal),
      ),
    ) ?? null
  );
}

/** Returns every choice of lines for the parts of a formula. */
function listCombinations({ parts }: Measure, lines: readonly Line[]): Line[][] {
  const fitting = parts.map((part) =>
    lines.filter(({ names }) => names.some(({ label }) => part.test(label))),
  );
  return fitting.reduce<Line[][]>(
    (combinations, candidates) =>
      combinations
        .flatMap((chosen) =>
          candidates
            .filter((line) => {
              const [first] = chosen;
              return !first || first.table !== line.table || findSharedName([first, line]) !== null;
            })
            .map((line) => [...chosen, line]),
        )
        .slice(0, MAX_COMBINATIONS),
    [[]],
  );
}

/** Computes a measure for the period, row or column of one point of its first part. */
function computeAt(
  measure: Measure,
  point: Point,
  parts: readonly Line[],
  wantsAverage: boolean,
): Point[] {
  const [first] = parts;
  const others = parts
    .slice(1)
    .map((line) =>
      line.points.find(
        (one) =>
          (one.year === point.year || one.year === null || point.year === null) &&
          (line.table !== first?.table ||
            line.table < 0 ||
            one.row === point.row ||
            one.column === point.column),
      ),
    );
  if (others.some((one) => one === undefined)) return [];
  const chosen = [point, ...(others as Point[])];
  const values = chosen.map(({ value }) => value);
  const at = measure.averaged;
  const own = at === undefined ? undefined : chosen[at];
  const before =
    own && parts[at ?? 0]?.points.find(({ year }) => year !== null && year === (own.year ?? 0) - 1);
  const averaged = before
    ? [values.map((value, index) => (index === at ? value.plus(before.value).div(2) : value))]
    : [];
  const options = wantsAverage && averaged.length > 0 ? averaged : [values, ...averaged];
  return options
    .flatMap((option) =>
      option.slice(1).some((value) => value.isZero()) ? [] : measure.compute(...option),
    )
    .filter((value) => value.isFinite())
    .map((value) => ({ ...point, value }));
}
