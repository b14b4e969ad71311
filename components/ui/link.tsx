import NextLink from "next/link";
import type { ComponentProps } from "react";

/** Links to a page of the site, which is loaded when the link is followed, not before. */
export const Link = (props: ComponentProps<typeof NextLink>) => (
  <NextLink prefetch={false} {...props} />
);
