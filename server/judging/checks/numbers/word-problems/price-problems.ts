import { down, kind, type ProblemKind, part, up } from "./problem-kind";

// cspell:ignore markdown
const PRICE =
  "\\b(?:costs?|priced at|(?:list |original |regular )?price (?:of|is|was)|listed at|sells (?:an? [a-z]{1,20} )?for|tagged at)\\b[^.?\\d]{0,20}#";
const FINAL =
  "\\b(?:final price|pays?|paid|cost now|new price|sale price|discounted price|how much (?:will|does|do|is|would) (?:it|the|she|he|they|you|I|one)\\b)";

export const PRICE_PROBLEMS: ProblemKind[] = [
  kind(
    "percentage of an amount",
    ["^\\W*(?:what is|what's|calculate|compute|find) #% of #\\s*[?.]?\\s*$"],
    (percent, amount) => (percent && amount ? [part(percent).mul(amount)] : []),
  ),
  kind("percentage", ["^\\W*what (?:percent(?:age)?|%) of # is #\\s*\\?\\s*$"], (whole, share) =>
    whole && share ? [share.div(whole)] : [],
  ),
  kind("percentage", ["^\\W*# is what (?:percent(?:age)?|%) of #\\s*\\?\\s*$"], (share, whole) =>
    whole && share ? [share.div(whole)] : [],
  ),
  kind(
    "whole amount",
    ["^\\W*# is #% of (?:what|which) (?:number|amount)\\s*\\?\\s*$"],
    (share, percent) => (percent && share ? [share.div(part(percent))] : []),
  ),
  kind(
    "percentage change",
    [
      "\\b(?:by )?what (?:is the )?(?:percent(?:age)?|%)\\b[^?]{0,40}(?:\\?|rise|rose|increase|fall|fell|decrease|change|grow|drop)",
      "\\b(?:rises?|rose|increase[sd]?|falls?|fell|drop(?:s|ped)?|decrease[sd]?|grew|grows|changed?|went|goes)\\b(?: up| down)? from # (?:[a-z ]{0,30})?to #",
    ],
    (old, current) => (old && current ? [current.div(old).minus(1)] : []),
  ),
  kind(
    "overall change",
    [
      "\\b(?:rose|rises|increased|gained|grew)(?: by)? #%",
      "\\b(?:fell|falls|decreased|lost|dropped|declined)(?: by)? #%",
      "\\b(?:overall|net|total)(?: percentage| percent)? (?:change|return|gain|loss)\\b",
    ],
    (gain, loss) => (gain && loss ? [up(gain).mul(down(loss)).minus(1)] : []),
  ),
  kind(
    "markup",
    [
      "\\bmarkup\\b[^?]{0,40}\\b(?:cost|percent\\w*)\\b",
      "\\b(?:buys?|bought|costs?|purchase[sd]?)\\b[^.?\\d]{0,40}#",
      "\\b(?:sells?|sold|selling)\\b[^.?\\d]{0,40}#",
    ],
    (cost, price) => (cost && price ? [price.div(cost).minus(1)] : []),
  ),
  kind(
    "price after two discounts",
    [
      PRICE,
      "\\b(?:discount\\w*|reduced|marked down|off)\\b[^.?\\d]{0,20}#%|#% (?:off|discount)",
      "\\b(?:then|further|additional|another|extra)\\b[^.?\\d]{0,30}#%",
      FINAL,
    ],
    (price, first, second) =>
      price && first && second ? [price.mul(down(first)).mul(down(second))] : [],
  ),
  kind(
    "price after two discounts",
    [PRICE, "\\b(?:successive|consecutive) discounts of #% and #%", FINAL],
    (price, first, second) =>
      price && first && second ? [price.mul(down(first)).mul(down(second))] : [],
  ),
  kind(
    "price after discounts and tax",
    [PRICE, "\\b(?:successive|consecutive) discounts of #% and #%", "#% (?:sales )?tax\\b", FINAL],
    (price, first, second, tax) =>
      price && first && second && tax
        ? [price.mul(down(first)).mul(down(second)).mul(up(tax))]
        : [],
  ),
  kind(
    "price after a discount and tax",
    [
      PRICE,
      "#% (?:off|discount)\\b|\\b(?:discount\\w*|reduced|marked down)(?: by| of) #%",
      "#% (?:sales )?tax\\b|\\b(?:sales )?tax (?:rate )?(?:of|is) #%",
      FINAL,
    ],
    (price, discount, tax) =>
      price && discount && tax ? [price.mul(down(discount)).mul(up(tax))] : [],
  ),
  kind(
    "price after a discount",
    [
      PRICE,
      "#% (?:off|discount)\\b|\\b(?:discount\\w*|reduced|marked down)(?: by| of) #%",
      "\\b(?:final|new|sale|discounted) price\\b",
    ],
    (price, discount) => (price && discount ? [price.mul(down(discount))] : []),
  ),
  kind(
    "original price",
    [
      "\\bafter an? #% (?:discount|reduction|markdown|price cut)\\b",
      "\\b(?:costs?|sells for|priced at|price (?:is|was)|pays?|paid)\\b[^.?\\d]{0,20}#",
      "\\b(?:original|regular|list|initial) price\\b",
    ],
    (percent, price) => (percent && price ? [price.div(down(percent))] : []),
  ),
  kind(
    "amount after an increase",
    [
      "\\b(?:salary|population|price|wage|budget|town|city|village)\\b[^.?\\d]{0,20}#",
      "\\b(?:raised|rises?|rose|increased?|increases|grew|grows) by #%",
      "\\b(?:what is|what's|what was|what will|how much is|how many)\\b[^?]{0,40}\\b(?:now|new|after)\\b|\\b(?:its|the) population\\b",
    ],
    (amount, percent) => (amount && percent ? [amount.mul(up(percent))] : []),
  ),
  ...(
    [
      ["grows|growing|appreciates|appreciating|increases|increasing|rises|rising", up],
      ["loses|losing|depreciates|depreciating|decreases|decreasing|declines|declining|falls", down],
    ] as const
  ).map(([verbs, factor]) =>
    kind(
      "amount after several years",
      [
        `#[^.?\\d]{0,60}\\b(?:${verbs})(?: in value| its value)?(?: (?:by|at))? #%(?: of its (?:value|worth))? (?:per|a|each|every) year\\b`,
        "\\b(?:after|in) (\\d{1,2}) years\\b",
        "\\b(?:worth|value|population|how many|how much)\\b",
      ],
      (amount, percent, years) =>
        amount && percent && years ? [amount.mul(factor(percent).pow(years))] : [],
    ),
  ),
  kind(
    "price with tax",
    [
      "\\b(?:sales tax|vat|tax rate)\\b[^.?\\d]{0,15}#%",
      "\\b(?:listed at|costs?|price of|priced at|for)\\b[^.?\\d]{0,20}#$",
      "\\b(?:total (?:price|cost)|including tax|with tax|in total)\\b",
    ],
    (percent, price) => (percent && price ? [price.mul(up(percent))] : []),
  ),
  kind(
    "commission",
    [
      "#% commission\\b|\\bcommission of #%",
      "\\bsales of #|\\bsells? (?:goods )?worth #|#$ (?:in sales|worth)",
      "\\bhow much (?:commission|does|did|will)\\b|\\bwhat is (?:the|her|his|their) commission\\b",
    ],
    (percent, sales) => (percent && sales ? [part(percent).mul(sales)] : []),
    /\bcommission\b/gi,
  ),
  kind(
    "bill with a tip",
    ["\\bbill\\b[^.?\\d]{0,30}#", "#% tip\\b|\\btip of #%", "\\b(?:total|in all|altogether)\\b"],
    (bill, tip) => (bill && tip ? [bill.mul(up(tip)), bill.mul(part(tip))] : []),
    /\btip\b/gi,
  ),
  kind(
    "converted amount",
    [
      "^\\W*(?:convert|exchange|change) #\\s?[a-z ]{2,30}?(?: in)?to [a-z ]{2,30}? at (?:a rate of |an exchange rate of )?1 (?:EUR|USD|GBP|CHF|euro|dollar|pound) = # (?:USD|EUR|GBP|CHF|JPY|US dollars?|dollars?|euros?|pounds?|yen)\\W*$",
    ],
    (amount, rate) => (amount && rate ? [amount.mul(rate)] : []),
  ),
];
