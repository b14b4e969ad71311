"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";

interface Props {
  href: string;
  className: string;
  children: ReactNode;
  onClick?: () => void;
}

/** Renders a link that marks itself as the current page. */
export function NavLink({ href, children, ...rest }: Props) {
  const path = usePathname();
  const isCurrent = path === href || path.startsWith(`${href}/`);
  return (
    <Link href={href} aria-current={isCurrent ? "page" : undefined} {...rest}>
      {children}
    </Link>
  );
}
