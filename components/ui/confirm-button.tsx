"use client";

import { useEffect, useRef, useState } from "react";
import { Button } from "./button";

interface Props {
  label: string;
  /** What the action applies to, for screen readers. */
  of: string;
  /** The consequence, as a sentence. */
  question: string;
  /** Label of the confirming button. */
  confirm: string;
  onConfirm: () => void;
  busy?: boolean;
  look?: "danger" | "plain";
}

/** Asks for confirmation in place before an action that can't be undone. */
export function ConfirmButton({
  label,
  of,
  question,
  confirm,
  onConfirm,
  busy,
  look = "danger",
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
        small
        look={look === "danger" ? "plain" : look}
        busy={busy}
        onClick={() => setAsking(true)}
        aria-label={`${label} ${of}`}
      >
        {label}
      </Button>
    );
  }
  return (
    <fieldset
      aria-label={`${label} ${of}?`}
      onKeyDown={({ key }) => key === "Escape" && setAsking(false)}
      className="flex flex-wrap items-center gap-2 text-sm"
    >
      <span className="basis-full text-pretty sm:basis-auto">{question}</span>
      <Button
        small
        look={look}
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
