import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { LedgerRecord } from "@/server/chain/registry/ledger";
import { CATEGORIES, tierSchema } from "@/server/lib/schema";
import { CEILINGS, POLICY } from "./policy";

const PAGE = readFileSync("docs/scoring.md", "utf8");
const VECTORS: {
  name: string;
  wallet: string;
  now: number;
  log: LedgerRecord[];
  expected: Expected;
}[] = JSON.parse(readFileSync("server/reputation/vectors.json", "utf8"));
interface Expected {
  score: number;
  scoreE4: number;
}

const { name, ...numbers } = POLICY;
const TABLE = PAGE.slice(PAGE.indexOf("## Policy numbers"), PAGE.indexOf("## Input"));
const documented = Object.fromEntries(
  [...TABLE.matchAll(/^\| `(\w+)` \| ([\d.]+) \|/gm)].map(([, key, value]) => [key, Number(value)]),
);

describe("docs/scoring.md", () => {
  test("has every policy number, and no other", () => {
    expect(documented).toEqual(numbers);
    expect(PAGE).toContain(`policy \`${name}\``);
  });

  test("has the highest score that follows from each cap", () => {
    const rows = [...TABLE.matchAll(/^\| .+ \| `(\w+Cap)` \| ([\d.]+) \|/gm)];
    expect(Object.fromEntries(rows.map(([, cap, score]) => [cap, Number(score)]))).toEqual({
      requesterCap: CEILINGS.oneRequester,
      claimedCap: CEILINGS.claimedOnly,
      openCap: CEILINGS.withoutAnchor,
    });
  });

  test.each(VECTORS)("is enough to compute $name", ({ wallet, now, log, expected }) => {
    expect(computeFromPage(log, wallet, now).scoreE4).toBe(expected.scoreE4);
  });

  test("has the numbers of its worked examples", () => {
    const compute = (prefix: string) => {
      const vector = VECTORS.find((one) => one.name.startsWith(`${prefix} `));
      if (!vector) throw new Error(`no vector ${prefix}`);
      return { ...vector.expected, ...computeFromPage(vector.log, vector.wallet, vector.now) };
    };
    const example = PAGE.slice(PAGE.indexOf("## Worked example"), PAGE.indexOf("## Test vectors"));
    const [v2, v4, v18, v19] = [compute("V2"), compute("V4"), compute("V18"), compute("V19")];
    const [v20, v22, v38, v39] = [compute("V20"), compute("V22"), compute("V38"), compute("V39")];
    const [v40, v41] = [compute("V40"), compute("V41")];
    const half = BigInt(POLICY.halfConfidenceUnits) * U;
    for (const value of [
      `${v2.good} / ${v2.good + half}`,
      `| ${v2.scoreE4} |`,
      `**${v2.score}**`,
      `| ${v4.anchored.good} |`,
      `| ${v4.open.good} |`,
      `| ${v4.good} (${(Number(v4.good) / Number(U)).toFixed(3)} U) |`,
      `${v4.good} / ${v4.good + half} |`,
      `| ${v4.scoreE4}, published **${v4.score}**`,
      `= ${v20.open.bad} |`,
      `| ${v20.open.good + v20.open.bad} (`,
      `| ${v20.good} (`,
      `| ${v19.scoreE4} | ${v20.scoreE4} |`,
      `**${v19.score}**`,
      `**${v20.score}**`,
      `\`scoreE4\` is ${v22.scoreE4}.`,
      `| ${v38.open.bad} (0.5 U)`,
      `| ${v38.open.good + v38.open.bad} (`,
      `| ${v38.scoreE4}, published **${v38.score}**`,
      `\`scoreE4\` is ${v39.scoreE4}.`,
      `\`scoreE4\` is ${v40.scoreE4}.`,
      `| ${v18.scoreE4} | ${v41.scoreE4} |`,
    ]) {
      expect(example).toContain(value);
    }
  });
});

/** Phrases with which other documents state policy numbers. */
const PHRASES: [RegExp, number][] = [
  [/(\w+) days of grace/g, POLICY.graceDays],
  [/(?:counts?|wait) (?:after )?(\w+) days/g, POLICY.graceDays],
  [/(\w+) times (?:its|their) weight/g, POLICY.freshFailureFactor],
  [/TRUSTED\W+score >= (\d+)/g, POLICY.trustedFrom],
  [/VERIFIED\W+>= (\d+)/g, POLICY.verifiedFrom],
  [/ELITE\W+>= (\d+)/g, POLICY.eliteFrom],
];
/** Mentions of thresholds and ceilings, which belong only in docs/scoring.md. */
const NAMED_SCORE =
  /\b(?:exceeds?|above|below|reach(?:es)?|capped at|score of) (?:40|50|70|80|85|95)\b(?![.,]\d)/g;
const WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

test("other documents and the API's tiers state the same policy numbers", () => {
  const documents = ["README.md", ...listFiles("docs", ".md")];
  const texts = [
    ...documents.map((file) => readFileSync(file, "utf8")),
    tierSchema.description ?? "",
  ];
  expect(texts.flatMap((text) => text.match(NAMED_SCORE) ?? [])).toEqual([]);
  for (const [phrase, number] of PHRASES) {
    const named = texts.flatMap((text) => [...text.matchAll(phrase)].map(([, word = ""]) => word));
    const values = named.map((word) => (/^\d+$/.test(word) ? Number(word) : WORDS.indexOf(word)));
    expect(
      values.filter((value) => value >= 0 && value !== number),
      String(phrase),
    ).toEqual([]);
  }
});

test("categories have the same order in the code and the contract", () => {
  const order = CATEGORIES.join(", ");
  const contract = readFileSync("contracts/VerdictRegistry.sol", "utf8");
  const comment = contract.replaceAll(/\n\s*\/\/\/ /g, " ");
  expect(comment).toContain(`\`category\`: index in ${order}`);
  expect(contract).toContain(`CATEGORIES = ${CATEGORIES.length};`);
});

test("pages take policy numbers from policy.ts", () => {
  const literal =
    /\b(?:\d+|two|three) (?:units?|days of grace|times at first)\b|\bhal(?:f|ves) (?:in|every) \d+|\b(?:exceeds?|above|below|reach|score) (?:40|50|70|80|85|95)\b|\[(?:40|70|85|95),|wait (?:three|\d) days/gi;
  const found = ["app", "components"]
    .flatMap((folder) => listFiles(folder, ".tsx"))
    .flatMap((file) =>
      (readFileSync(file, "utf8").match(literal) ?? []).map((text) => `${file}: ${text}`),
    );
  expect(found).toEqual([]);
});

function listFiles(folder: string, extension: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(extension))
    .map((name) => `${folder}/${name}`);
}

const U = (10n ** 9n) << 32n;

/** Computes a score by the formulas and numbers of docs/scoring.md, without our implementation. */
function computeFromPage(log: LedgerRecord[], wallet: string, now: number) {
  type Evidence = { good: bigint; bad: bigint };
  const number = (key: keyof typeof numbers) => documented[key] ?? Number.NaN;
  const units = (key: keyof typeof numbers) => (BigInt(number(key) * 2) * U) / 2n;
  const find = <T extends LedgerRecord["type"]>(type: T) =>
    log.filter((record): record is Extract<LedgerRecord, { type: T }> => record.type === type);
  const day = (time: number) => Math.floor(time / 86_400);
  const decay = (age: number) => {
    const H = number("halfLifeDays");
    return computeRootTerm(H, age % H) >> BigInt(Math.floor(age / H));
  };
  const total = ({ good, bad }: Evidence) => good + bad;
  const capTo = (evidence: Evidence, cap: bigint): Evidence => {
    if (total(evidence) <= cap) return evidence;
    const good = (evidence.good * cap) / total(evidence);
    return { good, bad: cap - good };
  };
  const revoked = find("anchor-revoked").map(({ anchorSeq }) => anchorSeq);
  const E = new Map<string, Evidence>();
  let tenure = 0;
  for (const o of find("outcome")) {
    const a = day(now) - day(o.resolvedAt);
    if (o.contractor !== wallet || a < 0) continue;
    const decision = find("dispute").find(({ outcomeId }) => outcomeId === o.id);
    const dispute = decision?.verdict;
    const isVoid =
      o.contractor === o.requester ||
      find("refund").some(({ outcomeId }) => outcomeId === o.id) ||
      find("superseded").some(({ outcomeId }) => outcomeId === o.id) ||
      (!o.proven &&
        find("takeover").some((t) => t.wallet === o[o.submittedBy] && t.at > o.resolvedAt));
    const tookPart =
      o.submittedBy === "contractor" || o.agreed || o.paidMicro >= number("minPaymentUsdc") * 1e6;
    const value = o.paidMicro > 0 ? o.paidMicro : number("unpaidValueUsdc") * 1e6;
    const v = isVoid ? 0n : BigInt(Math.min(o.valueMicro, value));
    const h = BigInt(number("halfWeightUsdc") * 1e6);
    const m = number("minConfidence") * 1e6;
    const certainty = BigInt(Math.max(0, o.confPpm - m));
    const w = (10n ** 9n * v * certainty) / ((v + h) * BigInt(1e6 - m));
    const isAnchored = find("anchor").some(
      ({ seq, wallet: anchor, from, until }) =>
        anchor === o.requester &&
        from <= o.resolvedAt &&
        (until === null || o.resolvedAt < until) &&
        !revoked.includes(seq),
    );
    const confirms = o.agreed || (o.submittedBy === "requester" && o.proven);
    const unanchored = o.paidMicro > 0 ? "paid" : "claimed";
    const kind = isAnchored && confirms ? "anchored" : unanchored;
    const isGood = dispute ? dispute === "CONTRACTOR_WINS" : o.verdict === "SUCCESS";
    const overturned = o.verdict === "SUCCESS" && dispute === "REQUESTER_WINS";
    const word = o.submittedBy === "requester" && !o.agreed && kind !== "anchored";
    const reported = word && !isGood && (overturned || dispute !== "REQUESTER_WINS");
    const key = `${kind} ${o.requester}`;
    const sum = E.get(key) ?? { good: 0n, bad: 0n };
    E.set(key, sum);
    const isOverturned = decision !== undefined && isGood !== (o.verdict === "SUCCESS");
    if (isOverturned && !decision.assessed) continue;
    if (isGood) {
      sum.good += w * decay(a);
      if (kind !== "claimed" && w > 0n) tenure = Math.max(tenure, a);
    } else if (tookPart) {
      const factor = reported ? 1n : BigInt(number("overturnedFactor"));
      const full = (factor * 10n ** 9n * v) / (v + h);
      const speed = number("halfLifeDays") / number("extraHalfLifeDays");
      const extra = BigInt(number("freshFailureFactor") - 1) * decay(a * speed);
      const late = a < number("graceDays") ? 0n : decay(a);
      sum.bad +=
        (overturned ? full : w) * (reported ? late : decay(a) + (kind === "claimed" ? 0n : extra));
    }
  }
  const sumOf = (kind: string) =>
    [...E].reduce<Evidence>(
      (sum, [key, evidence]) => {
        if (!key.startsWith(`${kind} `)) return sum;
        const { good, bad } = capTo(evidence, units("requesterCap"));
        return { good: sum.good + good, bad: sum.bad + bad };
      },
      { good: 0n, bad: 0n },
    );
  const anchored = sumOf("anchored");
  const claimed = capTo(sumOf("claimed"), units("claimedCap"));
  const paid = sumOf("paid");
  const open = { good: claimed.good + paid.good, bad: claimed.bad + paid.bad };
  const openCap = units("openCap");
  const isAnchoredLarger = total(anchored) > openCap;
  const cap = isAnchoredLarger ? total(anchored) : openCap;
  const [part, whole] =
    total(open) <= cap
      ? [anchored.good + open.good, total(anchored) + total(open)]
      : [anchored.good * total(open) + open.good * cap, (total(anchored) + cap) * total(open)];
  const capacity = BigInt(number("initialTenureDays") + tenure) * units("unitsPerTenureDay");
  const uncapped = anchored.good + capTo(open, openCap).good;
  const good = uncapped < capacity ? uncapped : capacity;
  const denominator = whole * (good + units("halfConfidenceUnits"));
  const scoreE4 = denominator === 0n ? 0 : Number((1_000_000n * part * good) / denominator);
  return { scoreE4, anchored, open, good };
}

/** Returns floor(2^(32 − j/H)) by bisection. */
function computeRootTerm(H: number, j: number): bigint {
  let [low, high] = [0n, 1n << 33n];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (middle ** BigInt(H) <= 1n << BigInt(32 * H - j)) low = middle;
    else high = middle;
  }
  return low;
}
