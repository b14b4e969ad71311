import type { ReactNode } from "react";

/** Pages that talk to wallets. Their own security policy only applies on a full page load. */
export const OWNERS_PAGES: readonly string[] = ["/register", "/dashboard"];

interface Props {
  href: "/register" | "/dashboard";
  className: string;
  children: ReactNode;
}

/** Links to an owner page with a full page load. */
export function OwnersLink(props: Props) {
  return <a {...props} />;
}
