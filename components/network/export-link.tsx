import { formatAmount } from "@/components/ui/format";
import { MAX_EXPORTED } from "@/server/lib/schema";

interface Props {
  href: string;
  /** Number of records in the list; omitted if the export always has all. */
  total?: number;
}

/** Links to the export of a list with its filters. */
export function ExportLink({ href, total = 0 }: Props) {
  return (
    <p className="mt-4 text-right text-sm">
      <a href={href} download className="py-1 underline underline-offset-2">
        {total > MAX_EXPORTED ? `Export newest ${formatAmount(MAX_EXPORTED)} (CSV)` : "Export CSV"}
      </a>
    </p>
  );
}
