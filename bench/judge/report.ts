import { basename } from "node:path";
import type { Defence } from "@/server/judging/panel/defences";
import {
  attackFigure,
  type Figures,
  figuresByCategory,
  figuresOf,
  type Usage,
  usageOf,
} from "./figures";
import type { Candidate, Measured } from "./judge-case";
import type { LabelledCase } from "./labelled-set";

/** The cases of one file with their results, in file order. */
export interface Trial {
  file: string;
  cases: readonly LabelledCase[];
  measured: readonly Measured[];
}

export type AttackFigure = ReturnType<typeof attackFigure>;

/** All results of a run, as `--json` prints them. */
export interface Report {
  judge: { kind: Candidate["kind"]; id: string; version: string; calibration: string | null };
  model: string | null;
  measuredOn: string;
  seed: string;
  set: { name: string; tasks: number; attacks: number };
  overall: Figures;
  byCategory: Partial<Record<string, Figures>>;
  attacks: {
    success: AttackFigure;
    byTechnique: Record<string, { n: number; passed: number }>;
  } | null;
  /** The attacks repeated with one defence off at a time. */
  defences: { off: Defence; success: AttackFigure }[];
  usage: Usage;
  cases: {
    id: string;
    label: string;
    verdict: string | null;
    confidence: number;
    unavailable?: string;
  }[];
}

export interface Findings {
  candidate: Pick<Candidate, "kind" | "id" | "version" | "calibration" | "seed">;
  measuredOn: string;
  set: Trial;
  attacks: Trial | null;
  defences: { off: Defence; trial: Trial }[];
}

/**
 * Builds the report. Tokens, money and time cover the set and the attacks with every defence on.
 */
export function reportOf({ candidate, measuredOn, set, attacks, defences }: Findings): Report {
  const all = [...set.measured, ...(attacks?.measured ?? [])];
  const { kind, id, version, calibration, seed } = candidate;
  const said = all.flatMap(({ calls }) => calls.map(({ returnedModel }) => returnedModel));
  return {
    judge: { kind, id, version, calibration },
    model: said.find((model) => model !== null) ?? null,
    measuredOn,
    seed,
    set: {
      name: basename(set.file).replace(/\.jsonl?$/, ""),
      tasks: set.cases.length,
      attacks: attacks?.cases.length ?? 0,
    },
    overall: figuresOf(set.measured, seed),
    byCategory: figuresByCategory(set.measured, seed),
    attacks: attacks && {
      success: attackFigure(attacks.measured, seed),
      byTechnique: passedByTechnique(attacks),
    },
    defences: defences.map(({ off, trial }) => ({
      off,
      success: attackFigure(trial.measured, seed),
    })),
    usage: usageOf(all),
    cases: all.map(({ id, label, verdict, confidence, unavailable }) => ({
      id,
      label,
      verdict,
      confidence,
      ...(unavailable === undefined ? {} : { unavailable }),
    })),
  };
}

function passedByTechnique({ cases, measured }: Trial) {
  const counts: Record<string, { n: number; passed: number }> = {};
  for (const [index, { technique = "unnamed", label }] of cases.entries()) {
    const verdict = measured[index]?.verdict;
    if (label !== "FAILURE" || !verdict) continue;
    counts[technique] ??= { n: 0, passed: 0 };
    const count = counts[technique];
    count.n += 1;
    if (verdict === "SUCCESS") count.passed += 1;
  }
  return counts;
}
