"use client";

import { useEffect, useRef, useState } from "react";
import { Button } from "./button";

interface Props {
  label: string;
  /** What it is about, for those who do not see where it stands. */
  of: string;
  /** What will happen, as a sentence. */
  question: string;
  /** The word on the button that does it. */
  confirm: string;
  onConfirm: () => void;
  busy?: boolean;
  look?: "danger" | "plain";
}

/** Asks in its own place before it does what cannot be undone. */
export function ConfirmButton({
  label,
  of,
  question,
  confirm,
  onConfirm,
  busy,
  look = "danger",
}: Props) {
  const [asking, setAsking] = useState(false);
  const keep = useRef<HTMLButtonElement>(null);
  const asked = useRef(false);
  const start = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (asking) keep.current?.focus();
    else if (asked.current) start.current?.focus();
    asked.current = asking;
  }, [asking]);
  if (!asking) {
    return (
      <Button
        ref={start}
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
      <Button ref={keep} small onClick={() => setAsking(false)}>
        Cancel
      </Button>
    </fieldset>
  );
}
