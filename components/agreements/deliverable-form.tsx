import type { ReactNode } from "react";
import { OwnerForm, useOwnerForm } from "@/components/account/owner-form";
import { RequirementResults } from "@/components/outcomes/fact-list";
import { TextField } from "@/components/ui/field";
import { formatCount } from "@/components/ui/format";
import type { CheckedDeliverable } from "@/server/judging/requirements/schema";

/** A deliverable as the API takes it: a text, a URL or neither. */
export interface Deliverable {
  deliverableContent?: string;
  deliverableUrl?: string;
}

interface Props {
  /** Name of the form, for screen readers. */
  name: string;
  /** The mutation that `onTry` starts. */
  attempt: { data: CheckedDeliverable | undefined; reset: () => void };
  onTry: (deliverable: Deliverable) => Promise<unknown>;
  /** Whether a URL can be delivered. */
  takesUrl: boolean;
  /** Renders further actions on the same deliverable, which is null while it is incomplete. */
  actions?: (deliverable: Deliverable | null) => ReactNode;
}

/** Takes a deliverable and shows how each requirement would be decided on it. */
export function DeliverableForm({ name, attempt, onTry, takesUrl, actions }: Props) {
  const form = useOwnerForm(
    { deliverableContent: "", deliverableUrl: "" },
    (entered) => onTry(toDeliverable(entered)),
    { onChange: attempt.reset },
  );
  const deliverable = toDeliverable(form.watch());
  const isMissing = Object.keys(deliverable).length === 0;
  const missing = takesUrl ? "Enter a text or a URL." : "Enter a text.";
  return (
    <OwnerForm
      form={form}
      name={name}
      labels={["Try it", "Checking…"]}
      variant="secondary"
      status={actions?.(isMissing ? null : deliverable)}
    >
      <TextField
        {...form.field("deliverableContent", { validate: () => !isMissing || missing })}
        label="Deliverable"
        rows={8}
        spellCheck={false}
      />
      {takesUrl && (
        <TextField
          {...form.field("deliverableUrl", { shouldUnregister: true })}
          label="Or its URL"
          optional
          type="url"
          placeholder="https://"
        />
      )}
      <div role="status" className="order-last empty:-mt-4">
        {attempt.data && <CheckResults checked={attempt.data} />}
      </div>
    </OwnerForm>
  );
}

const toDeliverable = ({ deliverableContent, deliverableUrl }: Required<Deliverable>) => ({
  ...(deliverableContent.trim() && { deliverableContent }),
  ...(deliverableUrl && { deliverableUrl }),
});

/** Says whether all requirements hold, and lists them, those that fail first. */
function CheckResults({ checked: { passed, results } }: { checked: CheckedDeliverable }) {
  const failed = results.filter((result) => !result.passed);
  return (
    <>
      <p className={`mb-3 text-lg font-medium ${passed ? "text-good" : "text-bad"}`}>
        {passed ? "Passed: " : "Failed: "}
        {results.length - failed.length} of {formatCount(results.length, "requirement")} met
      </p>
      <RequirementResults requirements={results} />
    </>
  );
}
