import { Term } from "@/components/site/term";
import { Icon } from "@/components/ui/icon";
import type { Backing } from "@/server/explorer/schema";

const KINDS: Record<Backing, { label: string; path: string }> = {
  anchored: {
    label: "Known client",
    path: "M8 6.6v7M4.4 9.2c0 2.6 1.6 4.4 3.6 4.4s3.6-1.8 3.6-4.4M8 2.4a2.1 2.1 0 100 4.2 2.1 2.1 0 000-4.2z",
  },
  paid: {
    label: "Paid",
    path: "M8 1.8a6.2 6.2 0 100 12.4 6.2 6.2 0 000-12.4zM8 4.8v6.4M5.6 8h4.8",
  },
  claimed: { label: "Unconfirmed", path: "M3 8h2.2M6.9 8h2.2M10.8 8h2.2" },
};

/** Shows what confirms an outcome besides the submitter's claim, once on a page with its meaning. */
export function BackingMark({ backing, hasMeaning }: { backing: Backing; hasMeaning?: boolean }) {
  const { label, path } = KINDS[backing];
  return (
    <span className="inline-flex items-center gap-1.5 align-middle whitespace-nowrap">
      <Icon path={path} className="size-3.5" strokeWidth={1.4} box={16} />
      {hasMeaning ? <Term>{label}</Term> : label}
    </span>
  );
}
