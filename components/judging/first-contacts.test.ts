import { expect, test } from "vitest";
import type { JudgeInService } from "@/server/judging/schema";
import type { FirstContact } from "@/server/pages/schema";
import { averageRate, findContacts } from "./first-contacts";

const meet = (
  kind: "heuristic" | "llm",
  id: string,
  [n, tpr, tnr]: [n: number, tpr: number | null, tnr: number | null] = [10, 1, 0],
): FirstContact => ({
  ...{ set: "jobs", judge: { kind, id, version: "1" }, measuredOn: "2026-11-21" },
  ...{ n, tpr, tnr, decided: 0.5, ece: null },
});
const asJudge = (kind: "heuristic" | "llm", id: string) => ({ kind, id }) as JudgeInService;

test("a judge keeps its first contacts in later versions, and gets none of another's", () => {
  const contacts = [meet("heuristic", "checks/v2"), meet("llm", "a"), meet("llm", "b")];
  expect(findContacts(asJudge("heuristic", "checks/v3"), contacts)).toEqual([contacts[0]]);
  expect(findContacts(asJudge("llm", "b"), contacts)).toEqual([contacts[2]]);
  expect(findContacts(asJudge("llm", "c"), contacts)).toEqual([]);
});

test("a rate weighs each set by its size, without sets that did not measure it", () => {
  const contacts = [
    meet("llm", "a", [100, 1, 0.5]),
    meet("llm", "a", [300, 0.5, null]),
    meet("llm", "a", [50, null, 0.2]),
  ];
  expect(averageRate(contacts, "tpr")).toBeCloseTo(0.625, 10);
  expect(averageRate(contacts, "tnr")).toBeCloseTo(0.4, 10);
  expect(averageRate([], "tpr")).toBeNull();
});
