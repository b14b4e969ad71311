"use client";

import type { ComponentProps } from "react";

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
