"use client";

import { type ComponentProps, useEffect, useRef, useState } from "react";

const VARIANTS = {
  primary: "border-accent bg-accent text-accent-ink hover:opacity-90",
  secondary: "border-line bg-raised hover:bg-sunken",
  danger: "border-bad bg-raised text-bad hover:bg-sunken",
} as const;

interface Props extends ComponentProps<"button"> {
  variant?: keyof typeof VARIANTS;
  small?: boolean;
  /** In progress: keeps focus, ignores clicks. */
  busy?: boolean;
}

export function Button({
  variant = "secondary",
  small,
  busy,
  onClick,
  type = "button",
  className = "",
  ...rest
}: Props) {
  return (
    <button
      {...rest}
      type={busy ? "button" : type}
      onClick={busy ? undefined : onClick}
      aria-disabled={busy || undefined}
      className={`rounded-md border font-medium aria-disabled:cursor-progress aria-disabled:opacity-70 disabled:opacity-60 ${small ? "px-2.5 py-1 text-sm" : "px-4 py-2"} ${VARIANTS[variant]} ${className}`}
    />
  );
}

interface ConfirmButtonProps {
  label: string;
  /** What the action applies to, for screen readers. */
  target: string;
  /** The consequence, as a sentence. */
  question: string;
  /** Label of the confirming button. */
  confirm: string;
  onConfirm: () => void;
  busy?: boolean;
  variant?: "danger" | "secondary";
}

/** Asks for confirmation in place before an action that can't be undone. */
export function ConfirmButton({
  label,
  target,
  question,
  confirm,
  onConfirm,
  busy,
  variant = "danger",
}: ConfirmButtonProps) {
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
        busy={busy}
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
