"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useRef, useTransition } from "react";

interface Props {
  /** The path that answers the form; without JavaScript it is sent there. */
  action: string;
  label: string;
  className?: string;
  children: ReactNode;
}

const SETTLE_MS = 120;

/** A form whose state is the address: every change shows the page of the new one, in place. */
export function LiveForm({ action, label, className, children }: Props) {
  const router = useRouter();
  const [pending, start] = useTransition();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const show = (form: HTMLFormElement) => {
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form)) query.set(name, String(value));
    start(() => router.replace(`${action}?${query}`, { scroll: false }));
  };
  return (
    <form
      action={action}
      aria-label={label}
      aria-busy={pending}
      className={className}
      onInput={({ currentTarget }) => {
        clearTimeout(timer.current);
        timer.current = setTimeout(show, SETTLE_MS, currentTarget);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        clearTimeout(timer.current);
        show(event.currentTarget);
      }}
    >
      {children}
    </form>
  );
}
