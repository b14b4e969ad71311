"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useRef, useTransition } from "react";

interface Props {
  /** Path that renders the result; without JavaScript the form submits there. */
  action: string;
  label: string;
  className?: string;
  children: ReactNode;
}

const DEBOUNCE_MS = 120;

/** Keeps the form's state in the URL: every change navigates there in place. */
export function LiveForm({ action, label, className, children }: Props) {
  const router = useRouter();
  const [pending, start] = useTransition();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const navigate = (form: HTMLFormElement) => {
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
        timer.current = setTimeout(navigate, DEBOUNCE_MS, currentTarget);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        clearTimeout(timer.current);
        navigate(event.currentTarget);
      }}
    >
      {children}
    </form>
  );
}
