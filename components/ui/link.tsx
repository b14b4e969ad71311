import NextLink from "next/link";
import type { ComponentProps } from "react";
import { LinkStatus } from "./link-status";

/** Links to a page of the site, which is loaded when the link is followed, not before. */
export const Link = ({ children, ...props }: ComponentProps<typeof NextLink>) => (
  <NextLink prefetch={false} {...props}>
    {children}
    <LinkStatus />
  </NextLink>
);
