import type { ReactNode } from "react";
import { Fact, HexFact } from "@/components/ui/fact";
import { FoldedPanel } from "@/components/ui/panel";

interface Props {
  /**
   * IDs and hashes with their labels and their names for copy buttons; empty ones are left out.
   * `isTransaction` links to the block explorer.
   */
  records: readonly (readonly [
    label: string,
    value: string | null | undefined,
    name: string,
    isTransaction?: boolean,
  ])[];
  explorerUrl: string | null;
  title?: string;
  note?: string;
  children?: ReactNode;
}

/** Lists IDs, transactions and hashes in full, on demand. */
export function RecordsPanel({ records, explorerUrl, children, ...panel }: Props) {
  return (
    <FoldedPanel title="Records" note="IDs, transactions, hashes" {...panel}>
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,28rem),1fr))] gap-x-8 gap-y-4">
        {children}
        {records.map(([label, value, name, isTransaction]) => {
          if (!value) return null;
          // Outcomes restored from the chain have no hashes of texts.
          if (/^0x0+$/.test(value)) {
            return (
              <Fact key={name} label={label}>
                unknown: restored from the chain
              </Fact>
            );
          }
          const href = isTransaction && explorerUrl ? `${explorerUrl}/tx/${value}` : null;
          return <HexFact key={name} label={label} value={value} name={name} href={href} />;
        })}
      </dl>
    </FoldedPanel>
  );
}
