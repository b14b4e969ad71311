"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { shortenHex } from "@/components/ui/format";

const KEY = /0x[0-9a-f]{64}|0x[0-9a-f]{40}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** Offers to search for the address, hash or id that the page was asked for by; else nothing. */
export function SearchForPath() {
  const [key] = KEY.exec(usePathname()) ?? [];
  if (!key) return null;
  return (
    <p className="mt-3">
      <Link href={`/search?q=${key}`} className="underline underline-offset-2">
        Look for {shortenHex(key)} in all records
      </Link>
      <span className="text-muted">: also work of agents that are not registered is found.</span>
    </p>
  );
}
