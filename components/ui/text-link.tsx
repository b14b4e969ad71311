import Link from "next/link";
import type { ComponentProps } from "react";

/** Renders an underlined link within text. It loads its page when followed, not before. */
export function TextLink({ className = "", ...rest }: ComponentProps<typeof Link>) {
  return (
    <Link
      prefetch={false}
      {...rest}
      className={`underline underline-offset-2 ${className}`.trim()}
    />
  );
}
