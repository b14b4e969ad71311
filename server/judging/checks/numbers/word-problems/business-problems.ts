import { kind, type ProblemKind, part } from "./problem-kind";

export const BUSINESS_PROBLEMS: ProblemKind[] = [
  kind(
    "straight-line depreciation",
    [
      "\\bstraight[- ]line\\b",
      "\\b(?:costs?|bought|purchased?|cost of|purchase price of)\\b[^.?\\d]{0,30}#",
      "\\b(?:salvage|residual|scrap) value\\b[^.?\\d]{0,20}#",
      "(\\d{1,2})(?: years?\\b|[- ]year\\b)",
      "\\b(?:annual|yearly|per year|each year)\\b[^?]{0,40}\\bdepreciation|\\bdepreciation\\b[^?]{0,30}\\b(?:annual|yearly|per year|each year|expense)\\b",
    ],
    (cost, salvage, life) => (cost && salvage && life ? [cost.minus(salvage).div(life)] : []),
  ),
  kind(
    "break-even quantity",
    [
      "\\bbreak[- ]?even\\b",
      "\\bfixed costs?\\b[^.?\\d]{0,20}#",
      "\\b(?:sells?|priced?|selling price|price)\\b[^.?\\d]{0,30}#",
      "\\bvariable costs?\\b[^.?\\d]{0,25}#",
      "\\b(?:how many|number of|in) units\\b",
    ],
    (fixed, price, variable) =>
      fixed && price && variable ? [fixed.div(price.minus(variable))] : [],
  ),
  kind(
    "holding period return",
    [
      "\\b(?:bought|purchased) (?:at|for) #",
      "\\bdividends? of #",
      "\\b(?:sold|sells) (?:at|for) #",
      "\\b(?:holding[- ]period return|total return|return in percent|percentage return)\\b",
    ],
    (cost, dividend, price) =>
      cost && dividend && price ? [price.minus(cost).plus(dividend).div(cost)] : [],
  ),
  kind(
    "return on investment",
    [
      "\\b(?:ROI|return on (?:the |her |his |my |this )?investment|percent(?:age)? (?:return|gain|profit))\\b",
      "\\b(?:bought|purchased|invest(?:s|ed)|buys?)\\b[^.?\\d]{0,40}#$",
      "\\b(?:sold|sells|worth)\\b[^.?\\d]{0,20}#$",
    ],
    (cost, price) => (cost && price ? [price.minus(cost).div(cost)] : []),
    /\bprofit\b/gi,
  ),
  kind(
    "expected return of a portfolio",
    [
      "#% (?:is |of it )?(?:in|into|invested in) [a-z ]{2,30} (?:with|at|and|returning|yielding|that)[^.?\\d]{0,40}#%[^.?\\d]{0,20}#% (?:is |of it )?(?:in|into|invested in) [a-z ]{2,30} (?:with|at|returning|yielding|that)[^.?\\d]{0,40}#%",
      "\\b(?:expected|overall|weighted|total|average|portfolio(?:['’]s)?)[a-z' ]{0,30} return\\b",
    ],
    (first, one, second, other) =>
      first && one && second && other
        ? [
            part(first)
              .mul(part(one))
              .plus(part(second).mul(part(other))),
          ]
        : [],
  ),
  kind(
    "expected return of a portfolio",
    [
      "#% [a-z ]{2,30}\\((?:expected )?return(?: of)?:? #%\\) and #% [a-z ]{2,30}\\((?:expected )?return(?: of)?:? #%\\)",
      "\\bportfolio(?:['’]s)?(?: expected| total| overall)? return\\b|\\breturn of the portfolio\\b",
    ],
    (first, one, second, other) =>
      first && one && second && other
        ? [
            part(first)
              .mul(part(one))
              .plus(part(second).mul(part(other))),
          ]
        : [],
  ),
  kind(
    "gross pay with overtime",
    [
      "\\b(?:earns|is paid|makes|gets)\\b[^.?\\d]{0,20}# (?:an|per|a) hour\\b",
      "\\btime and a half\\b[^.?\\d]{0,40}\\b(?:over|beyond|above|past|after) (\\d{1,2})\\b",
      "\\b(?:worked|works) (\\d{1,2}) hours\\b",
      "\\bhow much (?:did|does|will|is)\\b|\\bgross (?:pay|earnings|wages?)\\b",
    ],
    (wage, limit, hours) =>
      wage && limit && hours?.gte(limit)
        ? [wage.mul(limit).plus(wage.mul(1.5).mul(hours.minus(limit)))]
        : [],
    /\bhalf\b/gi,
  ),
  kind(
    "interest paid in total",
    [
      "\\bloan of #",
      "\\b(\\d{1,3}) (?:equal )?(?:monthly )?(?:(?:installments?|instalments?)|payments?) of #",
      "\\b(?:how much|total) interest\\b",
    ],
    (loan, count, payment) => (loan && count && payment ? [count.mul(payment).minus(loan)] : []),
    /\bmonthly\b/gi,
  ),
  kind(
    "dividend yield",
    [
      "\\bdividend yield\\b",
      "\\b(?:annual |yearly )?dividends?(?: per share)? (?:of|is) #",
      "\\b(?:price|trad\\w+|sells|share price)\\b[^.?\\d]{0,20}#",
    ],
    (dividend, price) => (dividend && price ? [dividend.div(price)] : []),
  ),
  kind(
    "price-earnings ratio",
    [
      "\\b(?:P/E|price[- ](?:to[- ])?earnings)\\b",
      "\\b(?:earnings per share|EPS)\\b[^.?\\d]{0,12}#",
      "\\b(?:price|trad\\w+|sells|share price)\\b(?! ?-? ?(?:to|earnings))[^.?\\d]{0,20}#",
    ],
    (earnings, price) => (price && earnings ? [price.div(earnings)] : []),
  ),
];
