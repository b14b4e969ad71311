import type { ReactNode } from "react";

/** The pages that reach wallets, and so have a policy of their own, which only a full load brings. */
export const OWNERS_PAGES: readonly string[] = ["/register", "/dashboard"];

interface Props {
  href: "/register" | "/dashboard";
  className: string;
  children: ReactNode;
}

/** A link from elsewhere to a page of owners. */
export function OwnersLink(props: Props) {
  return <a {...props} />;
}
