import type { DraftInput } from "@/server/agreements/schema";
import { getOtherParty } from "@/server/disputes/parties";
import type { Party } from "@/server/disputes/schema";
import {
  type EnteredParameters,
  type RequirementForm,
  readRequirement,
  splitLines,
} from "./requirement-fields";

/** A requirement while it is edited: its check, and what is entered by the name of the parameter. */
export type RequirementDraft = { check: string } & EnteredParameters;

/** What the form for a new agreement has, by the names of the API. */
export interface AgreementDraft {
  /** Which party the owner is. */
  role: Party;
  /** Wallet of the other party; that of the owner's role is not used. */
  requester: string;
  contractor: string;
  title: string;
  task: string;
  /** Empty until chosen. */
  category: DraftInput["category"] | "";
  valueUsdc: string;
  payment: DraftInput["payment"];
  delivery: NonNullable<DraftInput["delivery"]>;
  /** As the browser's control has it, in UTC: `2026-12-01T12:00`. */
  deliverBy: string;
  /** Likewise; empty for the default of the service. */
  startBy: string;
  requirements: RequirementDraft[];
  /** One per line. */
  criteria: string;
}

/** What must be done by the start besides signing. */
export const SIGNED_WITH = { "on-delivery": "", upfront: ", and paid", escrow: ", and funded" };

export const EMPTY_DRAFT: AgreementDraft = {
  role: "requester",
  requester: "",
  contractor: "",
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

/** Returns what to draft the terms from. The service validates it: it may lack what is missing. */
export function toDraftInput(
  { role, ...draft }: AgreementDraft,
  wallet: string,
  forms: readonly RequirementForm[],
): DraftInput {
  const other = getOtherParty(role);
  return {
    ...draft,
    [role]: wallet,
    [other]: draft[other].trim(),
    title: draft.title.trim() || undefined,
    task: draft.task.trim(),
    category: draft.category || undefined,
    valueUsdc: draft.valueUsdc.trim() === "" ? undefined : Number(draft.valueUsdc),
    deliverBy: toUtc(draft.deliverBy),
    startBy: toUtc(draft.startBy),
    requirements: readRequirements(draft.requirements, forms),
    criteria: splitLines(draft.criteria),
  } as DraftInput;
}

const toUtc = (time: string) => (time === "" ? undefined : `${time}:00Z`);

/** Returns the requirements that were entered, as far as they are. */
export const readRequirements = (
  drafts: readonly RequirementDraft[],
  forms: readonly RequirementForm[],
) =>
  drafts.map((draft) =>
    readRequirement(draft, forms.find(({ check }) => check === draft.check)?.fields ?? []),
  );
