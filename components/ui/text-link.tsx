import type { ComponentProps } from "react";
import { Link } from "./link";

/** Renders an underlined link within text. */
export const TextLink = ({ className = "", ...rest }: ComponentProps<typeof Link>) => (
  <Link {...rest} className={`underline underline-offset-2 ${className}`.trim()} />
);

/**
 * Renders an underlined link within text that is no navigation within the page: to a file, to another site,
 * or to a page with a security policy of its own.
 */
export const FullLink = ({ className = "", ...rest }: ComponentProps<"a">) => (
  <a {...rest} className={`underline underline-offset-2 ${className}`.trim()} />
);

/** Links to more of what a heading is about, beside it. */
export const MoreLink = (props: ComponentProps<typeof Link>) => (
  <TextLink {...props} className="inline-flex min-h-6 items-center text-sm" />
);

/** Links to the page of what a visitor does next, as a button. */
export const ButtonLink = (props: ComponentProps<typeof Link>) => (
  <Link
    {...props}
    className="inline-flex min-h-10.5 items-center rounded-md bg-accent px-4 font-medium text-accent-ink hover:opacity-90 pointer-coarse:min-h-11"
  />
);
