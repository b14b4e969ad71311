import { Fact } from "@/components/ui/fact";
import { formatAmount, formatCount } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { DifferenceList } from "./difference-list";
import type { Verification } from "./verify-wallet";

/** Shows whether the service agrees with the chain, and every difference. */
export function CheckResult(verification: Verification) {
  const { faults, differences, records, block, outcomes, lostEvidence, score } = verification;
  const isAgreed = faults.length === 0 && differences.length === 0;
  return (
    <div>
      <p
        role="status"
        className={`flex items-center gap-2.5 font-serif text-2xl font-semibold ${isAgreed ? "text-good" : "text-bad"}`}
      >
        <Icon
          path={isAgreed ? "M4 10.5l4 4L16 6" : "M5 5l10 10M15 5L5 15"}
          className="size-6 shrink-0"
          strokeWidth={2.2}
        />
        {summarize(verification)}
      </p>
      <dl className="mt-5 grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-4">
        <Fact label="Score shown">{score.toFixed(2)}</Fact>
        <Fact label="Score recomputed">{describeRecomputed(verification)}</Fact>
        <Fact label="Outcomes compared">{formatAmount(outcomes)}</Fact>
        <Fact label="Records read">{formatAmount(records)}</Fact>
      </dl>
      {faults.length === 0 ? (
        <p className="mt-4 text-sm text-muted">
          No record is missing: the hash chain ends in the contract's head at block{" "}
          {formatAmount(block)}.
          {lostEvidence > 0 &&
            ` ${formatCount(lostEvidence, "outcome")} rebuilt from the chain: evidence lost, not compared.`}
        </p>
      ) : (
        <ul className="mt-4 list-disc space-y-1 pl-5">
          {faults.slice(0, 20).map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      {differences.length > 0 && <DifferenceList differences={differences} />}
    </div>
  );
}

function summarize({ faults, differences, records }: Verification): string {
  if (faults.length > 0) return "The node's ledger contradicts the contract";
  if (differences.length > 0) return formatCount(differences.length, "difference");
  return records === 0 ? "No records yet: nothing to compare" : "Everything agrees";
}

/** Returns the score from the ledger; a dash if none was computed. */
function describeRecomputed({ faults, differences, score }: Verification): string {
  if (faults.length > 0 || differences.some(({ field }) => field === "scoreDay")) return "–";
  const differing = differences.find(({ field }) => field === "score");
  return (differing ? Number(differing.expected) : score).toFixed(2);
}
