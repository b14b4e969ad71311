"use client";

import { usePathname } from "next/navigation";
import { shortenHex } from "@/components/ui/format";
import { TextLink } from "@/components/ui/text-link";

const IDENTIFIER = /0x[0-9a-f]{64}|0x[0-9a-f]{40}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** Offers a search for an address, hash or ID found in the missing page's path. */
export function SearchForPath() {
  const [key] = IDENTIFIER.exec(usePathname()) ?? [];
  if (!key) return null;
  return (
    <p className="mt-3">
      <TextLink href={`/search?q=${key}`}>Search all records for {shortenHex(key)}</TextLink>
      <span className="text-muted">: includes outcomes of unregistered agents</span>
    </p>
  );
}
