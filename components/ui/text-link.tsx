import type { ComponentProps } from "react";
import { Link } from "./link";

/** Renders an underlined link within text. */
export const TextLink = ({ className = "", ...rest }: ComponentProps<typeof Link>) => (
  <Link {...rest} className={`underline underline-offset-2 ${className}`.trim()} />
);
