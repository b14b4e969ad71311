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

/** A link that says when it leads to where one is. */
export function NavLink({ href, children, ...rest }: Props) {
  const path = usePathname();
  const isHere = path === href || path.startsWith(`${href}/`);
  return (
    <Link href={href} aria-current={isHere ? "page" : undefined} {...rest}>
      {children}
    </Link>
  );
}
