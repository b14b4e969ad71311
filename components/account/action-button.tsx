"use client";

import { useMutation } from "@tanstack/react-query";
import { type ComponentProps, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { ErrorNotice } from "@/components/wallet/error-notice";

interface Action {
  run: () => Promise<unknown>;
}

/** Carries out an action, and says why it failed. */
export function ActionButton({ run, ...button }: Action & ComponentProps<typeof Button>) {
  const action = useMutation({ networkMode: "always", mutationFn: run });
  return (
    <>
      <Button {...button} busy={action.isPending} onClick={() => action.mutate()} />
      <ErrorNotice error={action.error} className="basis-full" />
    </>
  );
}

interface ConfirmProps extends Action {
  label: string;
  /** What the action applies to, for screen readers. */
  target: string;
  /** The consequence, as a sentence. */
  question: string;
  /** Label of the confirming button. */
  confirm: string;
  disabled?: boolean;
  /** Whether the first button is as small as in a list; false beside buttons of full height. */
  small?: boolean;
  /** Of both buttons; "primary" has full height. */
  variant?: "danger" | "secondary" | "primary";
}

/** Asks for confirmation in place before an action that can't be undone, and says why it failed. */
export function ConfirmAction(props: ConfirmProps) {
  const {
    run,
    label,
    target,
    question,
    confirm,
    disabled,
    small = true,
    variant = "danger",
  } = props;
  const action = useMutation({ networkMode: "always", mutationFn: run });
  const [isAsking, setAsking] = useState(false);
  const cancel = useRef<HTMLButtonElement>(null);
  const wasAsking = useRef(false);
  const trigger = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isAsking) cancel.current?.focus();
    else if (wasAsking.current) trigger.current?.focus();
    wasAsking.current = isAsking;
  }, [isAsking]);
  if (!isAsking) {
    return (
      <>
        <Button
          ref={trigger}
          variant={variant}
          small={small && variant !== "primary"}
          busy={action.isPending}
          disabled={disabled}
          onClick={() => setAsking(true)}
          aria-label={`${label} ${target}`}
        >
          {label}
        </Button>
        <ErrorNotice error={action.error} className="basis-full" />
      </>
    );
  }
  return (
    <fieldset
      aria-label={`${label} ${target}?`}
      onKeyDown={({ key }) => key === "Escape" && setAsking(false)}
      className="flex flex-wrap items-center gap-2 text-sm"
    >
      <span className="basis-full text-pretty sm:basis-auto">{question}</span>
      <Button
        small
        variant={variant}
        onClick={() => {
          setAsking(false);
          action.mutate();
        }}
      >
        {confirm}
      </Button>
      <Button ref={cancel} small onClick={() => setAsking(false)}>
        Cancel
      </Button>
    </fieldset>
  );
}
