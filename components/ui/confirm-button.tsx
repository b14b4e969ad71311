"use client";

import { useEffect, useRef, useState } from "react";
import { Button } from "./button";

interface Props {
  label: string;
  /** What the action applies to, for screen readers. */
  target: string;
  /** The consequence, as a sentence. */
  question: string;
  /** Label of the confirming button. */
  confirm: string;
  onConfirm: () => void;
  busy?: boolean;
  disabled?: boolean;
  /** Whether the first button is as small as in a list; false beside buttons of full height. */
  small?: boolean;
  /** Of both buttons; "primary" has full height. */
  variant?: "danger" | "secondary" | "primary";
}

/** Asks for confirmation in place before an action that can't be undone. */
export function ConfirmButton({
  label,
  target,
  question,
  confirm,
  onConfirm,
  busy,
  disabled,
  small = true,
  variant = "danger",
}: Props) {
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
      <Button
        ref={trigger}
        variant={variant}
        small={small && variant !== "primary"}
        busy={busy}
        disabled={disabled}
        onClick={() => setAsking(true)}
        aria-label={`${label} ${target}`}
      >
        {label}
      </Button>
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
        busy={busy}
        onClick={() => {
          setAsking(false);
          onConfirm();
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
