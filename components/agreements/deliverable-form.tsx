import { type ReactNode, useState } from "react";
import { isHttpUrl } from "@/components/account/validate";
import { FactList } from "@/components/outcomes/fact-list";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { formatCount } from "@/components/ui/format";
import { ErrorNotice } from "@/components/wallet/error-notice";
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
  attempt: {
    data: CheckedDeliverable | undefined;
    error: unknown;
    isPending: boolean;
    reset: () => void;
  };
  onTry: (deliverable: Deliverable) => void;
  /** Why nothing can be tried; null if it can. */
  obstacle?: string | null;
  /** Whether a URL can be delivered. */
  takesUrl?: boolean;
  /** Renders further actions on the same deliverable, which is null while it is incomplete. */
  actions?: (deliverable: Deliverable | null) => ReactNode;
}

/** Takes a deliverable and shows how each requirement would be decided on it. */
export function DeliverableForm(props: Props) {
  const { name, attempt, onTry, obstacle = null, takesUrl = true, actions } = props;
  const [text, setText] = useState("");
  const [entered, setUrl] = useState("");
  const url = takesUrl ? entered.trim() : "";
  const [tried, setTried] = useState(false);
  const isUrlWrong = url !== "" && !isHttpUrl(url);
  const deliverable: Deliverable = {
    ...(text.trim() === "" ? {} : { deliverableContent: text }),
    ...(url === "" ? {} : { deliverableUrl: url }),
  };
  const change = (set: (value: string) => void) => (value: string) => {
    set(value);
    attempt.reset();
  };
  const isComplete = !isUrlWrong && Object.keys(deliverable).length > 0;
  return (
    <form
      noValidate
      aria-label={name}
      className="grid grid-cols-1 gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (isComplete && obstacle === null) onTry(deliverable);
      }}
    >
      <TextField
        label="Deliverable"
        name="deliverableContent"
        rows={8}
        spellCheck={false}
        error={
          tried && !isComplete && !isUrlWrong
            ? takesUrl
              ? "Enter a text or a URL."
              : "Enter a text."
            : undefined
        }
        value={text}
        onChange={change(setText)}
      />
      {takesUrl && (
        <TextField
          label="Or its URL"
          name="deliverableUrl"
          optional
          type="url"
          inputMode="url"
          placeholder="https://"
          error={
            tried && isUrlWrong ? "Enter a full URL starting with http:// or https://." : undefined
          }
          value={entered}
          onChange={change(setUrl)}
        />
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" busy={attempt.isPending}>
          {attempt.isPending ? "Checking…" : "Try it"}
        </Button>
        {actions?.(isComplete ? deliverable : null)}
      </div>
      {tried && obstacle && <p className="text-sm text-muted">{obstacle}</p>}
      <ErrorNotice error={attempt.error} />
      <div role="status" className="empty:-mt-4">
        {attempt.data && <CheckResults checked={attempt.data} />}
      </div>
    </form>
  );
}

/** Says whether all requirements hold, and lists them, those that fail first. */
function CheckResults({ checked: { passed, results } }: { checked: CheckedDeliverable }) {
  const failed = results.filter((result) => !result.passed);
  return (
    <>
      <p className={`mb-3 text-lg font-medium ${passed ? "text-good" : "text-bad"}`}>
        {passed ? "Passed: " : "Failed: "}
        {results.length - failed.length} of {formatCount(results.length, "requirement")} met
      </p>
      <FactList
        facts={results
          .map(({ description, observed, detail, ...result }, index) => ({
            id: String(index),
            text: description,
            outcome: result.passed ? ("pass" as const) : ("fail" as const),
            observed: detail ?? observed,
          }))
          .sort((a, b) => a.outcome.localeCompare(b.outcome))}
      />
    </>
  );
}
