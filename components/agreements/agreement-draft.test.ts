import { describe, expect, test } from "vitest";
import { z } from "zod";
import { listRequirementKinds } from "@/server/agreements/list-kinds";
import { draftInput } from "@/server/agreements/schema";
import { requirementSchema } from "@/server/judging/requirements/schema";
import { CATEGORIES } from "@/server/lib/schema";
import {
  type AgreementDraft,
  EMPTY_DRAFT,
  groupRequirementErrors,
  parseDraft,
} from "./agreement-draft";
import { toRequirementForm } from "./requirement-fields";
import { TEMPLATES } from "./templates";

const ME = "0x52908400098527886E0F7030069857D2E4169EE7";
const OTHER = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
const NOW = Date.parse("2026-11-24T12:00:00Z");

const forms = listRequirementKinds().map(toRequirementForm);

const VALID: AgreementDraft = {
  ...EMPTY_DRAFT,
  counterparty: ` ${OTHER} `,
  task: "Summarise the report. ",
  category: "ops",
  valueUsdc: "12.5",
  deliverBy: "2026-12-01T12:00",
  requirements: [{ id: 1, check: "word-count", entered: { max: "200" } }],
  criteria: "It is polite.\n\n",
};

const parse = (change: Partial<AgreementDraft>) =>
  parseDraft({ ...VALID, ...change }, { wallet: ME, forms, now: NOW });

describe("the draft of an agreement", () => {
  test("becomes what the API takes", () => {
    const parsed = parse({});
    expect(parsed).toEqual({
      input: {
        requester: ME,
        contractor: OTHER,
        task: "Summarise the report.",
        category: "ops",
        valueUsdc: 12.5,
        payment: "on-delivery",
        deliverBy: "2026-12-01T12:00:00.000Z",
        delivery: "content",
        requirements: [{ check: "word-count", max: 200 }],
        criteria: ["It is polite."],
      },
    });
    expect(draftInput.safeParse("input" in parsed && parsed.input).success).toBe(true);
    expect(parse({ startBy: "2026-11-27T12:00" })).toMatchObject({
      input: { startBy: "2026-11-27T12:00:00.000Z" },
    });
    expect(parse({ role: "contractor" })).toMatchObject({
      input: { contractor: ME, requester: OTHER },
    });
  });

  test.each([
    [{ counterparty: "agent.eth" }, "counterparty"],
    [{ counterparty: ME.toLowerCase() }, "counterparty"],
    [{ task: " " }, "task"],
    [{ title: "x".repeat(81) }, "title"],
    [{ category: "" as const }, "category"],
    [{ valueUsdc: "12,50" }, "valueUsdc"],
    [{ valueUsdc: "" }, "valueUsdc"],
    [{ deliverBy: "" }, "deliverBy"],
    [{ deliverBy: "2026-11-24T12:00" }, "deliverBy"],
    [{ deliverBy: "2028-01-01T12:00" }, "deliverBy"],
    [{ startBy: "2026-11-24T12:00" }, "startBy"],
    [{ startBy: "2026-11-28T12:01" }, "startBy"],
    [{ startBy: "2026-12-01T12:01", deliverBy: "2027-01-01T12:00" }, "startBy"],
    [{ requirements: [] }, "requirements"],
    [{ requirements: [{ id: 1, check: "word-count", entered: {} }] }, "requirements"],
  ])("is refused at the field: %j", (change, field) => {
    const parsed = parse(change);
    expect("errors" in parsed && Object.keys(parsed.errors)).toEqual([field]);
  });

  test("shows the service's errors at their requirement", () => {
    expect(
      groupRequirementErrors([
        { pointer: "#/requirements/2/max", detail: "must not be below `min`" },
        { pointer: "#/valueUsdc", detail: "must be a number" },
      ]),
    ).toEqual({ 2: "max must not be below `min`." });
  });

  test.each(CATEGORIES)("starts with valid requirements in %s", (category) => {
    expect(z.array(requirementSchema).min(1).parse(TEMPLATES[category])).toEqual(
      TEMPLATES[category],
    );
  });
});
