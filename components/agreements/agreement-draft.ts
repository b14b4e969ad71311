import { countCharacters } from "@/components/account/validate";
import type { DraftInput } from "@/server/agreements/schema";
import { getOtherParty } from "@/server/disputes/parties";
import type { Party } from "@/server/disputes/schema";
import type { Requirement } from "@/server/judging/requirements/schema";
import type { Category } from "@/server/lib/schema";
import {
  type EnteredParameters,
  parseRequirement,
  type RequirementForm,
} from "./requirement-fields";

/** A requirement while it is edited. */
export interface RequirementDraft {
  /** Unique within the draft. */
  id: number;
  check: string;
  entered: EnteredParameters;
}

/** State of the form for a new agreement. */
export interface AgreementDraft {
  /** Which party the owner is. */
  role: Party;
  /** Wallet of the other party. */
  counterparty: string;
  title: string;
  task: string;
  /** Empty until chosen. */
  category: Category | "";
  valueUsdc: string;
  payment: DraftInput["payment"];
  delivery: DraftInput["delivery"];
  /** As the browser's control has it, in UTC: `2026-12-01T12:00`. */
  deliverBy: string;
  /** Likewise; empty for the default of the service. */
  startBy: string;
  requirements: RequirementDraft[];
  /** One per line. */
  criteria: string;
}

export const EMPTY_DRAFT: AgreementDraft = {
  role: "requester",
  counterparty: "",
  title: "",
  task: "",
  category: "",
  valueUsdc: "",
  payment: "on-delivery",
  delivery: "content",
  deliverBy: "",
  startBy: "",
  requirements: [],
  criteria: "",
};

export type DraftErrors = Partial<Record<keyof AgreementDraft, string>>;

const MIN_AHEAD_MS = 120_000;
const MAX_AHEAD_MS = 365 * 86_400_000;
const MAX_START_MS = 7 * 86_400_000;

interface Facts {
  wallet: string;
  forms: readonly RequirementForm[];
  /** Milliseconds. */
  now: number;
}

/** Returns what to draft the terms from, or an error message by field. */
export function parseDraft(
  draft: AgreementDraft,
  { wallet, forms, now }: Facts,
): { input: DraftInput } | { errors: DraftErrors } {
  const { role, category, payment, delivery } = draft;
  const counterparty = draft.counterparty.trim();
  const title = draft.title.trim();
  const task = draft.task.trim();
  const valueUsdc = Number(draft.valueUsdc);
  const deliverBy = Date.parse(`${draft.deliverBy}:00Z`);
  const startBy = Date.parse(`${draft.startBy}:00Z`);
  const parsed = parseRequirements(draft.requirements, forms);
  const criteria = draft.criteria.split("\n").flatMap((line) => line.trim() || []);
  const errors: DraftErrors = {
    ...(isAddress(counterparty)
      ? counterparty.toLowerCase() === wallet.toLowerCase() && {
          counterparty: "This is your own wallet.",
        }
      : { counterparty: "Enter a wallet address: 0x and 40 hex digits." }),
    ...(countCharacters(title) > 80 && { title: "At most 80 characters." }),
    ...(task === "" && { task: "Describe the task." }),
    ...(countCharacters(task) > 20_000 && { task: "At most 20,000 characters." }),
    ...(category === "" && { category: "Choose a category." }),
    ...(!/^\d+(\.\d{1,6})?$/.test(draft.valueUsdc.trim()) && {
      valueUsdc: "Enter an amount in USDC, such as 12.50.",
    }),
    ...checkDeadline(deliverBy - now),
    ...(draft.startBy !== "" &&
      !(startBy > now && startBy - now <= Math.min(MAX_START_MS, (deliverBy - now) / 2)) && {
        startBy: "Choose a time within 7 days that leaves half of the time for the work.",
      }),
    ...(parsed.requirements.length === 0 && {
      requirements: "Add at least one requirement.",
    }),
    ...(parsed.isIncomplete && { requirements: "Complete or remove the marked requirements." }),
  };
  if (Object.keys(errors).length > 0 || category === "") return { errors };
  const parties = { [role]: wallet, [getOtherParty(role)]: counterparty } as Record<Party, string>;
  return {
    input: {
      requester: parties.requester as DraftInput["requester"],
      contractor: parties.contractor as DraftInput["contractor"],
      ...(title ? { title } : {}),
      task,
      category,
      valueUsdc,
      payment,
      deliverBy: new Date(deliverBy).toISOString(),
      ...(draft.startBy === "" ? {} : { startBy: new Date(startBy).toISOString() }),
      delivery,
      requirements: parsed.requirements,
      criteria,
    },
  };
}

const isAddress = (text: string) => /^0x[0-9a-fA-F]{40}$/.test(text);

function checkDeadline(aheadMs: number): DraftErrors {
  if (Number.isNaN(aheadMs)) return { deliverBy: "Enter a date and a time." };
  if (aheadMs < MIN_AHEAD_MS) return { deliverBy: "Choose a time at least two minutes from now." };
  return aheadMs > MAX_AHEAD_MS ? { deliverBy: "Choose a time within one year." } : {};
}

interface ParsedRequirements {
  /** Those that are complete, in order. */
  requirements: Requirement[];
  isIncomplete: boolean;
}

/** Parses the requirements of a draft. */
export function parseRequirements(
  drafts: readonly RequirementDraft[],
  forms: readonly RequirementForm[],
): ParsedRequirements {
  const requirements = drafts.flatMap(({ check, entered }) => {
    const form = forms.find((one) => one.check === check);
    const parsed = form && parseRequirement(form, entered);
    return parsed && "requirement" in parsed ? [parsed.requirement] : [];
  });
  return { requirements, isIncomplete: requirements.length < drafts.length };
}

/**
 * Maps the service's errors about requirements, such as `#/requirements/2/max`, to messages by
 * the index of the requirement. Other errors have their field in the first segment.
 */
export function groupRequirementErrors(errors: readonly { pointer: string; detail: string }[]) {
  const grouped: Record<number, string> = {};
  for (const { pointer, detail } of errors) {
    const [, index, parameter] = /\/requirements\/(\d+)(?:\/([^/]+))?/.exec(pointer) ?? [];
    if (index !== undefined) grouped[Number(index)] = `${parameter ?? "This"} ${detail}.`;
  }
  return grouped;
}
