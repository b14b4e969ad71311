import { describe, expect, test } from "vitest";
import { listRequirementKinds } from "@/server/agreements/list-kinds";
import { draftInput } from "@/server/agreements/schema";
import { CATEGORIES } from "@/server/lib/schema";
import { type AgreementDraft, EMPTY_DRAFT, toDraftInput } from "./agreement-draft";
import { toRequirementForm } from "./requirement-fields";
import { createDraft, isTemplate, proposeRequirements } from "./templates";

const ME = "0x52908400098527886E0F7030069857D2E4169EE7";
const OTHER = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";

const forms = listRequirementKinds().map(toRequirementForm);

const VALID: AgreementDraft = {
  ...EMPTY_DRAFT,
  contractor: ` ${OTHER} `,
  task: "Summarise the report. ",
  category: "ops",
  valueUsdc: "12.5",
  deliverBy: "2026-12-01T12:00",
  requirements: [{ check: "word-count", max: "200" }],
  criteria: "It is polite.\n\n",
};

const toInput = (change: Partial<AgreementDraft>) =>
  toDraftInput({ ...VALID, ...change }, ME, forms);

describe("the draft of an agreement", () => {
  test("begins with what the link to the form says, and no escrow where there is none", () => {
    const preset = {
      contractor: OTHER,
      category: "ops",
      valueUsdc: 30,
      payment: "escrow",
    } as const;
    const draft = createDraft(preset, true);
    expect(draft).toMatchObject({
      ...preset,
      valueUsdc: "30",
      requirements: proposeRequirements("ops"),
    });
    expect(createDraft(preset, false).payment).toBe(EMPTY_DRAFT.payment);
    expect(createDraft({}, true)).toEqual(EMPTY_DRAFT);
  });

  test("becomes what the API takes", () => {
    expect(draftInput.parse(toInput({}))).toEqual({
      requester: ME,
      contractor: OTHER,
      task: "Summarise the report.",
      category: "ops",
      valueUsdc: 12.5,
      payment: "on-delivery",
      deliverBy: "2026-12-01T12:00:00Z",
      delivery: "content",
      requirements: [{ check: "word-count", max: 200 }],
      criteria: ["It is polite."],
    });
    expect(toInput({ startBy: "2026-11-27T12:00" })).toMatchObject({
      startBy: "2026-11-27T12:00:00Z",
    });
    expect(toInput({ role: "contractor", requester: OTHER })).toMatchObject({
      contractor: ME,
      requester: OTHER,
    });
  });

  test.each([
    [{ contractor: "agent.eth" }, "contractor"],
    [{ task: " " }, "task"],
    [{ title: "x".repeat(81) }, "title"],
    [{ category: "" as const }, "category"],
    [{ valueUsdc: "12,50" }, "valueUsdc"],
    [{ valueUsdc: "" }, "valueUsdc"],
    [{ deliverBy: "" }, "deliverBy"],
    [{ requirements: [] }, "requirements"],
    [{ requirements: [{ check: "word-count" }] }, "requirements.0.min"],
    [{ requirements: [{ check: "language", tag: "e" }] }, "requirements.0.tag"],
  ])("is refused by the API at the field: %j", (change, field) => {
    // As JSON, in which it is sent.
    const { error } = draftInput.safeParse(JSON.parse(JSON.stringify(toInput(change))));
    const fields = error?.issues.map(({ path }) => path.join("."));
    expect([...new Set(fields)]).toEqual([field]);
  });

  test.each(CATEGORIES)("starts in %s with checks that lack their values", (category) => {
    const requirements = proposeRequirements(category);
    const known = forms.map(({ check }) => check);
    expect(known).toEqual(expect.arrayContaining(requirements.map(({ check }) => check)));
    expect(isTemplate(requirements.map((one) => ({ ...one, max: "" })))).toBe(true);
    // Another category does not replace what was entered.
    expect(isTemplate(requirements.map((one) => ({ ...one, max: "5" })))).toBe(false);
  });
});
