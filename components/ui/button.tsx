"use client";

import type { ComponentProps } from "react";

const LOOKS = {
  main: "border-accent bg-accent text-accent-ink hover:opacity-90",
  plain: "border-line bg-raised hover:bg-sunken",
  danger: "border-bad bg-raised text-bad hover:bg-sunken",
} as const;

interface Props extends ComponentProps<"button"> {
  look?: keyof typeof LOOKS;
  small?: boolean;
  /** In progress: keeps focus, ignores clicks. */
  busy?: boolean;
}

export function Button({
  look = "plain",
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
      className={`rounded-md border font-medium aria-disabled:cursor-progress aria-disabled:opacity-70 disabled:opacity-60 ${small ? "px-2.5 py-1 text-sm" : "px-4 py-2"} ${LOOKS[look]} ${className}`}
    />
  );
}
