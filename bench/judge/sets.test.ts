import { join } from "node:path";
import { describe, expect, test } from "vitest";
import pages from "./citations/pages.json";
import { readLabelledSet } from "./labelled-set";

const set = (name: string) => readLabelledSet(join(import.meta.dirname, "sets", `${name}.jsonl`));
const starter = set("starter");
const attacks = set("attacks");
const heldOut = set("held-out");
const PAIRED = ["instructions", "calculations", "code", "citations"] as const;
const paired = PAIRED.flatMap(set);
const countValues = (values: (string | null | undefined)[]) => {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
  return counts;
};

const DEFECTS = [
  "wrong",
  "incomplete",
  "off-task",
  "empty-talk",
  "fabricated",
  "broken-code",
  "plausible-but-false",
  "injected",
];

const COVERED = new Set(starter.map(({ category }) => category));

describe.each([...COVERED])("the starter set in %s", (category) => {
  const cases = starter.filter((one) => one.category === category);
  const failing = cases.filter(({ label }) => label === "FAILURE");

  test("has twenty tasks, half of them failed", () => {
    expect(cases).toHaveLength(20);
    expect(failing).toHaveLength(10);
  });

  test("has every kind of defect, none of them dominant", () => {
    const counts = countValues(failing.map(({ defect }) => defect));
    expect([...counts.keys()].toSorted()).toEqual(DEFECTS.toSorted());
    expect(Math.max(...counts.values())).toBeLessThanOrEqual(3);
  });

  test("reveals the label neither by length nor by order", () => {
    const length = (label: string) => {
      const some = cases.filter((one) => one.label === label);
      return some.reduce((sum, { deliverable }) => sum + deliverable.length, 0) / some.length;
    };
    const ratio = length("SUCCESS") / length("FAILURE");
    expect(ratio).toBeGreaterThan(0.75);
    expect(ratio).toBeLessThan(1.33);
    const labels = cases.map(({ label }) => label.at(0)).join("");
    expect(labels).not.toMatch(/S{9}|F{9}|^(SF)+$|^(FS)+$/);
  });
});

test("the starter set names a defect exactly if the label is FAILURE", () => {
  for (const { defect, label } of starter) {
    expect(typeof defect === "string").toBe(label === "FAILURE");
  }
});

test("every attack fails its task and names its technique and language", () => {
  expect(attacks.length).toBeGreaterThanOrEqual(150);
  for (const { label, technique, language } of attacks) {
    expect(label).toBe("FAILURE");
    expect(technique).toMatch(/^[a-z0-9-]+$/);
    expect(language).toMatch(/^[a-z]{2}$/);
  }
  expect(countValues(attacks.map(({ technique }) => technique)).size).toBeGreaterThanOrEqual(20);
  expect(countValues(attacks.map(({ language }) => language)).size).toBeGreaterThanOrEqual(10);
  expect(new Set(attacks.map(({ category }) => category))).toEqual(COVERED);
});

test("the sets have at least 400 tasks", () => {
  const tasks = new Set([...starter, ...paired].map(({ task }) => task));
  expect(tasks.size).toBeGreaterThanOrEqual(400);
});

test.each([
  ["instructions", 150],
  ["calculations", 60],
  ["code", 60],
  ["citations", 40],
] as const)("%s has at least %i tasks, each with a good and a bad deliverable", (name, least) => {
  const byTask = new Map<string, string[]>();
  for (const { task, label } of set(name)) byTask.set(task, [...(byTask.get(task) ?? []), label]);
  expect(byTask.size).toBeGreaterThanOrEqual(least);
  for (const [task, labels] of byTask) {
    expect(labels.toSorted(), task).toEqual(["FAILURE", "SUCCESS"]);
  }
});

test.each(PAIRED)("good and bad deliverables of %s have about the same length", (name) => {
  const length = (label: string) =>
    set(name).reduce((sum, one) => sum + (one.label === label ? one.deliverable.length : 0), 0);
  const ratio = length("SUCCESS") / length("FAILURE");
  expect(ratio).toBeGreaterThan(0.8);
  expect(ratio).toBeLessThan(1.25);
});

test("every set with pairs names a defect exactly if the label is FAILURE", () => {
  for (const { defect, label } of paired) {
    expect(label === "FAILURE" ? DEFECTS : [null]).toContain(defect);
  }
});

test("cited pages exist exactly if a good deliverable cites them", () => {
  const cited = (label: string) =>
    set("citations")
      .filter((one) => one.label === label)
      .flatMap(({ deliverable }) => [...deliverable.matchAll(/localhost:\{port\}(\/[\w./-]*\w)/g)])
      .map(([, path = ""]) => path);
  for (const path of cited("SUCCESS")) expect(pages).toHaveProperty([path]);
  const missing = cited("FAILURE").filter((path) => !(path in pages));
  expect(missing.length).toBeGreaterThanOrEqual(15);
});

test("the held-out set has 32 good and 40 bad deliverables, of which 14 are attacks", () => {
  const labels = heldOut.map(({ label }) => label);
  expect(countValues(labels)).toEqual(
    new Map([
      ["SUCCESS", 32],
      ["FAILURE", 40],
    ]),
  );
  expect(heldOut.filter(({ technique }) => technique !== undefined)).toHaveLength(14);
  for (const { id, label, defect, technique } of heldOut) {
    expect(typeof defect, id).toBe(label === "FAILURE" ? "string" : "object");
    if (technique !== undefined) expect(label, id).toBe("FAILURE");
  }
  expect(new Set(heldOut.map(({ category }) => category))).toEqual(COVERED);
});

describe("all sets", () => {
  const all = [...starter, ...paired, ...attacks, ...heldOut];

  test.each(["id", "deliverable"] as const)("have a unique %s per case", (member) => {
    const values = all.map((one) => one[member].trim());
    const repeated = values.filter((value, index) => values.indexOf(value) !== index);
    expect(repeated).toEqual([]);
  });

  test("give a reason for every label", () => {
    // Two people labelled the held-out set; it states what is wrong with the bad work.
    for (const { reason } of [...starter, ...paired, ...attacks]) {
      expect(reason?.length ?? 0).toBeGreaterThan(40);
    }
  });

  test("have only texts that can be submitted", () => {
    for (const { task, deliverable } of all) {
      expect(task.length).toBeLessThan(10_000);
      expect(deliverable.length).toBeLessThan(20_000);
      expect(`${task}${deliverable}`).not.toContain("\0");
    }
  });
});
