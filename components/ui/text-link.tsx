import type { ComponentProps } from "react";
import { Link } from "./link";

/** Renders an underlined link within text. */
export const TextLink = ({ className = "", ...rest }: ComponentProps<typeof Link>) => (
  <Link {...rest} className={`underline underline-offset-2 ${className}`.trim()} />
);

/** Links to more of what a heading is about, beside it. */
export const MoreLink = (props: ComponentProps<typeof Link>) => (
  <TextLink {...props} className="inline-flex min-h-6 items-center text-sm" />
);
