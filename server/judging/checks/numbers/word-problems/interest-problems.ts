import { Exact } from "@/server/judging/checks/numbers/figures";
import { kind, type ProblemKind, part, up } from "./problem-kind";

const INVESTS =
  "\\b(?:invest\\w*|deposit\\w*|borrow\\w*|lends?|puts?|principal of|starts? with|saves?|loan of|takes? out)\\b[^.?\\d]{0,40}#";
const YEARS = "\\b(?:after|in|for|over|at the end of|of) (?:a period of )?(\\d{1,2}) years?\\b";
const HOW_MUCH =
  "\\b(?:how much (?:money |interest )?(?:will|would|does|do|is)|value of|be worth|balance|total amount|final amount|interest (?:earned|paid|is))\\b";
const PERIODS: [pattern: string, perYear: number][] = [
  ["\\bcompounded (?:annually|yearly|once (?:a|per) year)\\b|\\bannual compounding\\b", 1],
  ["\\bcompounded (?:semi-?annually|half-?yearly|twice a year)\\b", 2],
  ["\\bcompounded quarterly\\b", 4],
  ["\\bcompounded monthly\\b", 12],
];

const grow = (rate: Exact, years: Exact, perYear: number): Exact =>
  up(rate.div(perYear)).pow(years.mul(perYear));

/** What payments of 1 at the end of each period are worth at their start. */
const presentValue = (rate: Exact, count: Exact): Exact =>
  rate.isZero() ? count : new Exact(1).minus(rate.plus(1).pow(count.neg())).div(rate);

const SIMPLE = ["\\bsimple interest\\b", "#$|\\bprincipal of #", "#%"];

export const INTEREST_PROBLEMS: ProblemKind[] = [
  ...PERIODS.flatMap(([pattern, perYear]) => [
    kind(
      "compound amount",
      [INVESTS, "#%(?! of)", pattern, YEARS, HOW_MUCH],
      (principal, rate, years) => {
        const amount = (principal as Exact).mul(grow(rate as Exact, years as Exact, perYear));
        return [amount, amount.minus(principal as Exact)];
      },
      /\b(?:monthly|quarterly)\b/gi,
    ),
    kind(
      "effective annual rate",
      ["\\beffective (?:annual |yearly )?(?:interest )?rate\\b", "#%", pattern],
      (rate) => [grow(rate as Exact, new Exact(1), perYear).minus(1)],
      /\b(?:monthly|quarterly)\b/gi,
    ),
    kind(
      "years to double",
      ["\\b(?:how (?:long|many years)|years)\\b[^?]{0,60}\\bdouble\\b", "#%", pattern],
      (rate) => [new Exact(2).ln().div(grow(rate as Exact, new Exact(1), perYear).ln())],
      /\b(?:monthly|quarterly)\b/gi,
    ),
  ]),
  kind(
    "simple interest",
    [...SIMPLE, "(\\d{1,3}(?:\\.\\d)?)(?: years?\\b|[- ]year\\b)"],
    simple(1),
  ),
  kind("simple interest", [...SIMPLE, "(\\d{1,3})(?: months?\\b|[- ]month\\b)"], simple(12)),
  kind(
    "compound growth rate",
    [
      "\\bCAGR\\b|\\bcompound annual growth rate\\b",
      "\\bfrom # to #",
      "\\b(?:in|over|after) (\\d{1,2}) years?\\b",
    ],
    (old, current, count) => [
      (current as Exact)
        .div(old as Exact)
        .pow(new Exact(1).div(count as Exact))
        .minus(1),
    ],
  ),
  kind(
    "present value",
    [
      "\\bpresent value\\b[^.?\\d]{0,30}#",
      "\\b(?:in|after|from now) (\\d{1,2}) years?\\b|(\\d{1,2}) years? from (?:now|today)\\b",
      "\\b(?:rate|discounted at|at)\\b[^.?\\d]{0,20}#%",
    ],
    (amount, years, rate) => [(amount as Exact).div(up(rate as Exact).pow(years as Exact))],
  ),
  kind(
    "net present value",
    [
      "\\b(?:NPV|net present value)\\b",
      "\\b(?:costs?|invest\\w*|outlay of|requires?)\\b[^.?\\d]{0,30}#",
      "# (?:at the end of|after|in) (?:the )?(?:first year|year 1|1 year)\\b",
      "# (?:at the end of|after|in) (?:the )?(?:second year|year 2|2 years)\\b",
      "\\b(?:discount rate|cost of capital|required return|rate)\\b[^.?\\d]{0,15}#%|\\bat #%",
    ],
    (cost, first, second, rate) => {
      const factor = up(rate as Exact);
      return [
        (first as Exact)
          .div(factor)
          .plus((second as Exact).div(factor.pow(2)))
          .minus(cost as Exact),
      ];
    },
  ),
  kind(
    "net present value",
    [
      "\\b(?:NPV|net present value)\\b",
      "\\b(?:costs?|invest\\w*|outlay of|requires?)\\b[^.?\\d]{0,30}#",
      "\\b(?:returns?|pays?|generates?|brings?|yields?|produces?|inflows? of|cash flows? of)\\b[^.?\\d]{0,25}#[^.?\\d]{0,40}\\b(?:each|every|per|a|annually|yearly)\\b[^.?\\d]{0,40}\\b(?:for|next)\\b[^.?\\d]{0,15}(\\d{1,2}) years?\\b",
      "\\b(?:discount rate|cost of capital|required return|rate)\\b[^.?\\d]{0,15}#%|\\bat #%",
    ],
    (cost, payment, years, rate) => [
      (payment as Exact)
        .mul(presentValue(part(rate as Exact), years as Exact))
        .minus(cost as Exact),
    ],
  ),
  kind(
    "monthly payment",
    [
      "\\bmonthly (?:payment|(?:installment|instalment))\\b",
      "\\b(?:mortgage|loan)\\b|\\bborrow",
      "#$",
      "(\\d{1,2})(?: years?\\b|[- ]year\\b)",
      "#%",
    ],
    (principal, years, rate) => [
      (principal as Exact).div(presentValue(part(rate as Exact).div(12), (years as Exact).mul(12))),
    ],
    /\bmonthly\b/gi,
  ),
  kind(
    "price of a bond",
    [
      "\\bbond\\b",
      "\\b(?:face|par) value of #",
      "\\b#%[^.?\\d]{0,15}\\bcoupon|\\bcoupon rate of #%",
      "\\b(\\d{1,2})(?: years?\\b|[- ]year\\b)",
      "\\b(?:yield(?: to maturity)?|YTM|required return|market rate)\\b[^.?\\d]{0,15}#%",
      "\\bprice\\b",
      "\\bannual(?:ly)?\\b|\\bonce a year\\b|\\bper year\\b|\\beach year\\b",
    ],
    (face, coupon, years, rate) => {
      const market = part(rate as Exact);
      const payments = part(coupon as Exact).mul(presentValue(market, years as Exact));
      return [(face as Exact).mul(payments.plus(market.plus(1).pow((years as Exact).neg())))];
    },
  ),
  kind(
    "current yield",
    [
      "\\bcurrent yield\\b",
      "\\b(?:face|par) value of #",
      "\\b#%[^.?\\d]{0,15}\\bcoupon|\\bcoupon(?: rate)? of #%",
      "\\b(?:trades?|price[ds]?|sells|selling|trading)\\b[^.?\\d]{0,20}#",
    ],
    (face, coupon, price) => (face && coupon && price ? [face.mul(part(coupon)).div(price)] : []),
  ),
  ...["", "\\b(?:face|par) value of #"].map((face) =>
    kind(
      "current yield",
      [
        "\\bcurrent yield\\b",
        "\\bcoupons? (?:payments? )?of # (?:a|per|each) year\\b",
        "\\b(?:trades?|price[ds]?|sells|selling|trading)\\b[^.?\\d]{0,20}#",
        ...(face ? [face] : []),
      ],
      (coupon, price) => (coupon && price ? [coupon.div(price)] : []),
    ),
  ),
];

function simple(perYear: number) {
  return (...values: Exact[]): Exact[] => {
    const [principal, rate, count] = values as [Exact, Exact, Exact];
    const interest = principal.mul(part(rate)).mul(count).div(perYear);
    return [interest, interest.plus(principal)];
  };
}
