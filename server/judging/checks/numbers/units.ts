/** What a unit measures, with every size that it commonly has. */
interface Dimension {
  kind: string;
  sizes: readonly number[];
}

/** A unit such as "kWh", which is a multiple of a watt for an hour. */
export interface Unit {
  dimensions: readonly Dimension[];
  /** 2 for an area, 3 for a volume; their sizes are the lengths of their sides. */
  power: number;
}

const DAY = 86_400;
const days = (...counts: number[]) => counts.map((count) => count * DAY);
/** The side of a cube that holds this many litres, in metres. */
const side = (litres: number) => Math.cbrt(litres / 1_000);

// cspell:ignore stunde stunden tage woche wochen monat monate jahr jahre minuten tbsp
/** Kind, names in singular, sizes. Working days, weeks and years count as well. */
const NAMES: [kind: string, names: string, ...sizes: number[]][] = [
  ["time", "s second sec", 1],
  ["time", "ms millisecond", 1e-3],
  ["time", "min minute minuten rpm", 60],
  ["time", "h hour hr hourly stunde stunden", 3_600],
  ["time", "d day daily tage", DAY, 8 * 3_600],
  ["time", "week wk weekly woche wochen", ...days(7, 5)],
  ["time", "month mo monthly monat monate", ...days(30, 365 / 12, 31, 28, 20, 21, 22)],
  ["time", "quarter quarterly", ...days(90, 91, 365 / 4)],
  [
    "time",
    "year yr yearly annual annually annum jahr jahre",
    ...days(365, 366, 360, 364, 252, 260),
  ],
  ["time", "decade", ...days(3_650)],
  ["length", "mile mi", 1_609.344],
  ["length", "yard yd", 0.9144],
  ["length", "foot feet ft", 0.3048],
  ["length", "inch in", 0.0254],
  ["length", "kilometer kilometre", 1e3],
  ["length", "meter metre", 1],
  ["length", "centimeter centimetre", 0.01],
  ["length", "millimeter millimetre", 1e-3],
  ["area", "ha hectare", 100],
  ["area", "acre", 63.61491],
  ["volume", "liter litre", side(1)],
  ["volume", "milliliter millilitre", side(1e-3)],
  ["volume", "gallon gal", side(3.785411784), side(4.54609)],
  ["volume", "quart qt", side(0.946352946)],
  ["volume", "pint", side(0.473176473), side(0.56826125)],
  ["volume", "cup", side(0.2365882365), side(0.25)],
  ["volume", "tablespoon tbsp", side(0.014786765)],
  ["volume", "teaspoon tsp", side(0.004928922)],
  ["mass", "gram", 1],
  ["mass", "milligram", 1e-3],
  ["mass", "kilogram kilo", 1e3],
  ["mass", "tonne ton", 1e6, 907_184.74],
  ["mass", "pound lb lbs", 453.59237],
  ["mass", "ounce oz", 28.349523, 30],
  ["energy", "cal", 1],
  ["energy", "kcal calorie", 1e3],
  ["money", "$ € £ dollar euro", 1],
  ["money", "¢ cent pence penny pennies", 0.01],
  ["count", "%", 0.01],
  ["count", "pair", 2],
  ["count", "dozen", 12],
  ["count", "thousand", 1e3],
  ["count", "million", 1e6],
  ["count", "billion", 1e9],
  ["data", "byte", 8],
  ["data", "kilobyte", 8e3],
  ["data", "megabyte", 8e6],
  ["data", "gigabyte", 8e9],
  ["data", "terabyte", 8e12],
  ["data", "KiB", 8 * 1_024],
  ["data", "MiB", 8 * 1_024 ** 2],
  ["data", "GiB", 8 * 1_024 ** 3],
  ["data", "TiB", 8 * 1_024 ** 4],
];
/** Symbols that take a prefix: kind, symbol, size, and the seconds that are part of the unit. */
const SYMBOLS: [kind: string, symbol: string, size: number, seconds?: number][] = [
  ["length", "m", 1],
  ["mass", "g", 1],
  ["mass", "t", 1e6],
  ["volume", "L", side(1)],
  ["volume", "l", side(1)],
  ["electricity", "W", 1],
  ["electricity", "V", 1],
  ["electricity", "A", 1],
  ["electricity", "Wh", 1, 3_600],
  ["electricity", "Ah", 1, 3_600],
  ["electricity", "J", 1, 1],
  ["frequency", "Hz", 1, 1],
  ["data", "B", 8],
  ["data", "b", 1],
  ["data", "bit", 1],
  ["data", "bps", 1, 1],
];
const PREFIXES: Record<string, number> = {
  "": 1,
  μ: 1e-6,
  m: 1e-3,
  c: 1e-2,
  k: 1e3,
  K: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
};
const SPEEDS: Record<string, number> = { mph: 1_609.344, kph: 1e3, kmh: 1e3 };
const POWERS: Record<string, number> = { area: 2, volume: 3 };

const UNITS = createUnits();

function createUnits(): Map<string, Unit> {
  const units = new Map<string, Unit>();
  const add = (name: string, kind: string, sizes: number[], seconds?: number, power?: number) => {
    if (units.has(name)) return;
    const time = seconds ? [{ kind: "time", sizes: [seconds] }] : [];
    // Areas and volumes are measured by the lengths of their sides.
    const own = { kind: kind in POWERS ? "length" : kind, sizes };
    units.set(name, { dimensions: [own, ...time], power: power ?? POWERS[kind] ?? 1 });
    if (kind === "length" && !power)
      for (const exponent of [2, 3]) add(`${name}${exponent}`, kind, sizes, seconds, exponent);
  };
  for (const [kind, names, ...sizes] of NAMES)
    for (const name of names.split(" ")) add(name, kind, sizes);
  for (const [kind, symbol, size, seconds] of SYMBOLS) {
    for (const [prefix, factor] of Object.entries(PREFIXES)) {
      // "bps" alone means basis points.
      if (prefix + symbol === "bps" || (prefix === "c" && kind !== "length")) continue;
      const thousands = Math.round(Math.log10(factor) / 3);
      const binary = kind === "data" && thousands > 0 ? [size * 1_024 ** thousands] : [];
      const scale = kind === "volume" ? Math.cbrt(factor) : factor;
      add(prefix + symbol, kind, [size * scale, ...binary], seconds);
    }
  }
  for (const [name, length] of Object.entries(SPEEDS)) add(name, "length", [length], 3_600, 1);
  return units;
}

/** Returns the unit that a word names, in singular or plural. */
export function findUnit(word: string): Unit | undefined {
  const exact = UNITS.get(word);
  if (exact || word.length < 2) return exact;
  const lower = word.toLowerCase();
  return UNITS.get(lower) ?? UNITS.get(lower.replace(/s$/, "")) ?? UNITS.get(lower.slice(0, -2));
}

const MAX_FACTORS = 400;

/**
 * Returns the factors by which the sides of an equation may differ because it uses these units,
 * such as 1000 and 1/1000 for megabytes and gigabytes. Always contains 1.
 */
export function listUnitFactors(units: readonly Unit[]): number[] {
  const power = Math.max(1, ...units.map((unit) => unit.power));
  const dimensions = units.flatMap((unit) => unit.dimensions);
  let factors = [1];
  for (const kind of new Set(dimensions.map((dimension) => dimension.kind))) {
    const known = dimensions.filter((dimension) => dimension.kind === kind);
    const ratios = listRatios(known.map(({ sizes }) => sizes));
    const raised =
      kind === "length" && power > 1
        ? ratios.flatMap((ratio) => [ratio, ratio ** 2, ratio ** 3])
        : ratios;
    factors = [...new Set(factors.flatMap((one) => [one, ...raised.map((ratio) => one * ratio)]))];
    factors = factors.slice(0, MAX_FACTORS);
  }
  return factors;
}

/** Returns how much larger each unit is than each other one. */
function listRatios(units: readonly (readonly number[])[]): number[] {
  const distinct = [...new Map(units.map((sizes) => [sizes.join(), sizes])).values()];
  return distinct.flatMap((sizes) =>
    distinct.flatMap((others) =>
      sizes === others ? [] : sizes.flatMap((size) => others.map((other) => size / other)),
    ),
  );
}

/**
 * Returns what one unit can be in another of the same kind, such as 1.609344 for miles in
 * kilometres; nothing if working hours, which differ, make a day.
 */
export function convertUnit(from: Unit, to: Unit): number[] {
  const [one, ...more] = from.dimensions;
  const [other, ...others] = to.dimensions;
  if (!one || !other || one.kind !== other.kind || from.power !== to.power) return [];
  if (JSON.stringify(more) !== JSON.stringify(others)) return [];
  const isDay = ({ sizes }: Dimension) => (sizes[0] ?? 0) >= DAY;
  if (one.kind === "time" && isDay(one) !== isDay(other)) return [];
  return one.sizes.flatMap((size) => other.sizes.map((second) => (size / second) ** from.power));
}
