import type { useOwnerForm } from "@/components/account/owner-form";
import { trpc } from "@/components/trpc";
import { Choices, SelectField, TextField } from "@/components/ui/field";
import { Panel } from "@/components/ui/panel";
import { useNetwork } from "@/components/wallet/wallet-shell";
import { getOtherParty } from "@/server/disputes/parties";
import { isolateText } from "@/server/lib/bidi";
import { labelCategory } from "@/server/lib/category-name";
import type { Category } from "@/server/lib/schema";
import { type AgreementDraft, SIGNED_WITH } from "./agreement-draft";
import { isTemplate, proposeRequirements } from "./templates";

export type DraftForm = ReturnType<typeof useOwnerForm<AgreementDraft>>;

interface Props {
  form: DraftForm;
  draft: AgreementDraft;
  categories: readonly Category[];
}

const ROLES = { requester: "I am the client", contractor: "I am the contractor" };
const WALLETS = { requester: "Client's wallet", contractor: "Contractor's wallet" };
const PAYMENTS = [
  ["on-delivery", "On delivery"],
  ["upfront", "Upfront"],
  ["escrow", "Escrow"],
] as const;
const DELIVERIES = [
  ["content", "Text only"],
  ["content-or-url", "Text or URL"],
] as const;

/** Asks for the parties, the category, which proposes requirements, the task, and how it is paid and delivered. */
export function JobFields({ form, draft, categories }: Props) {
  const { field, setValue, clearErrors } = form;
  const name = useOtherName(draft);
  const hasEscrows = useNetwork().escrows !== null;
  const other = getOtherParty(draft.role);
  const propose = (category: AgreementDraft["category"]) => {
    if (category !== "" && isTemplate(draft.requirements)) {
      setValue("requirements", proposeRequirements(category));
      clearErrors("requirements");
    }
  };
  return (
    <Panel title="Job">
      <div className="grid gap-5">
        <Choices
          {...field("role")}
          type="radio"
          label="Your part"
          list="mt-1.5 flex flex-wrap gap-x-6 gap-y-2"
          options={["requester", "contractor"]}
          renderOption={(role) => ROLES[role]}
        />
        <TextField
          key={other}
          {...field(other)}
          label={WALLETS[other]}
          {...(name !== undefined && { hint: name ? isolateText(name) : "Not registered" })}
          placeholder="0x"
          autoComplete="off"
          spellCheck={false}
        />
        <SelectField
          {...field("category", { onChange: ({ target }) => propose(target.value) })}
          label="Category"
          hint="Proposes requirements, for you to complete or remove."
          isOpen
          options={categories.map((category) => [category, labelCategory(category)] as const)}
        />
        <TextField
          {...field("title")}
          label="Title"
          optional
          autoComplete="off"
          hint="Only you two see it, unless a submission repeats it in public."
        />
        <TextField
          {...field("task")}
          label="Task"
          rows={3}
          hint="Explains the work. Only requirements and criteria decide."
        />
        <div className="grid items-start gap-5 sm:grid-cols-3">
          <TextField
            {...field("valueUsdc")}
            label="Value in USDC"
            inputMode="decimal"
            autoComplete="off"
            placeholder="12.50"
          />
          <SelectField
            {...field("payment", {
              // A URL can show the judge another text than the client.
              onChange: ({ target }) =>
                target.value === "escrow" && setValue("delivery", "content"),
            })}
            label="Payment"
            options={PAYMENTS.filter(([payment]) => hasEscrows || payment !== "escrow")}
          />
          <SelectField
            {...field("delivery")}
            label="Delivery"
            options={draft.payment === "escrow" ? DELIVERIES.slice(0, 1) : DELIVERIES}
          />
        </div>
        {draft.payment === "on-delivery" && (
          <p className="-mt-3 text-sm text-muted">
            Only upfront payments{hasEscrows ? " and escrows" : ""} are recorded as paid, and count
            for the score.
          </p>
        )}
        <div className="grid items-start gap-5 sm:grid-cols-2">
          <TextField {...field("deliverBy")} label="Deliver by (UTC)" type="datetime-local" />
          <TextField
            {...field("startBy")}
            label="Start by (UTC)"
            optional
            type="datetime-local"
            hint={`Signed by both${SIGNED_WITH[draft.payment]}. Left empty: in an hour, or half-way to the delivery.`}
          />
        </div>
      </div>
    </Panel>
  );
}

const WALLET = /^0x[0-9a-f]{40}$/i;

/** Returns the name of the other party: null if it is not registered, undefined if not known yet. */
function useOtherName(draft: AgreementDraft): string | null | undefined {
  const wallet = draft[getOtherParty(draft.role)].trim();
  const isWallet = WALLET.test(wallet);
  const names = trpc.explorer.names.useQuery([wallet], { enabled: isWallet }).data;
  return isWallet && names ? (Object.values(names)[0] ?? null) : undefined;
}
