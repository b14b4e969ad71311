import type { ReactNode } from "react";

interface Props {
  href: string;
  className?: string;
  children: ReactNode;
}

/** Links to an owner page with a full page load, so that the page's own security policy applies. */
export function OwnerPageLink(props: Props) {
  return <a {...props} />;
}
