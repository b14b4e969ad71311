"use client";

import type { ComponentProps } from "react";

const VARIANTS = {
  primary: "border-accent bg-accent text-accent-ink hover:opacity-90",
  secondary: "border-line bg-raised hover:bg-sunken",
  danger: "border-bad bg-raised text-bad hover:bg-sunken",
  text: "border-transparent text-sm underline underline-offset-2",
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
      className={`rounded-md border pointer-coarse:min-h-11 aria-disabled:cursor-progress aria-disabled:opacity-70 disabled:opacity-60 ${variant === "text" ? "py-1" : small ? "px-2.5 py-1 text-sm" : "px-4 py-2"} ${variant === "text" ? "" : "font-medium"} ${VARIANTS[variant]} ${className}`}
    />
  );
}
