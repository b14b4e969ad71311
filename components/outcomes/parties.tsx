import Link from "next/link";
import { UntrustedText } from "@/components/site/untrusted-text";
import { shortenHex } from "@/components/ui/format";
import type { PublicOutcome } from "@/server/outcomes/schema";

interface Props {
  outcome: PublicOutcome;
  /** Names, if registered. */
  contractor?: string;
  requester?: string;
}

/** States which agent worked for which. */
export function Parties({ outcome, contractor, requester }: Props) {
  const party = (wallet: string, name?: string) =>
    name ? (
      <Link
        href={`/agents/${wallet}`}
        title={wallet}
        className="font-medium underline decoration-line underline-offset-4 hover:decoration-ink"
      >
        <UntrustedText>{name}</UntrustedText>
      </Link>
    ) : (
      <span title={`${wallet}, not registered`}>{shortenHex(wallet)}</span>
    );
  return (
    <p className="mt-4 text-lg break-words">
      {party(outcome.contractorAgentAddress, contractor)} worked for{" "}
      {party(outcome.requesterAgentAddress, requester)}
    </p>
  );
}
