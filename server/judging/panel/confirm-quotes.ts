import type { JudgeOptions } from "@/server/judging/judge";
import type { CallRecord, Criterion, Flag, StoredVote, VoteFinding } from "@/server/judging/schema";
import { treatRefusalsAsUnverified } from "./model-probe";
import { askWithRetry, type Panel } from "./panel";
import { addressesJudge } from "./prompt-injection";
import { buildEntailmentQuestion } from "./prompts/entailment-prompt";
import { toComparable } from "./quotes";
import { meetsControl } from "./tally";

/** What decides which quotations must be confirmed. */
export interface DoubtContext {
  criteria: readonly Criterion[];
  /** Raised by the texts or the votes. */
  flags: readonly Flag[];
  /** The category's required criterion; a passage that proves another must also proves this one. */
  guideMust: string;
}

/** A "yes" on a must, with the quotation that is to prove it. */
interface Proof {
  criterion: Criterion;
  finding: VoteFinding;
}

/**
 * Returns the proofs of one vote that need to be confirmed: all of them if a flag was raised or the
 * vote found a criterion on another subject met; otherwise those that share a quotation, and those
 * whose quotation addresses a judge. One quotation cannot prove every must.
 */
export function listDoubtfulProofs(
  vote: Pick<StoredVote, "findings" | "controlMet">,
  { criteria, flags, guideMust }: DoubtContext,
): Proof[] {
  const proofs = criteria
    .filter(({ kind, proof }) => kind === "must" && proof === "quote")
    .flatMap((criterion): Proof[] => {
      const finding = vote.findings.find(({ id }) => id === criterion.id);
      return finding?.met === "yes" ? [{ criterion, finding }] : [];
    });
  if (flags.length > 0 || meetsControl(vote)) return proofs;
  const specific = proofs.filter(({ criterion }) => criterion.text !== guideMust);
  return proofs.filter(
    (proof) =>
      addressesJudge(proof.finding.quote) ||
      (specific.includes(proof) &&
        specific.some((other) => other !== proof && isSamePassage(other, proof))),
  );
}

/** A quotation that contains another one is the same if it is hardly longer. */
const SAME_LENGTH_RATIO = 0.8;

function isSamePassage(a: Proof, b: Proof): boolean {
  const [longer = "", shorter = ""] = [a, b]
    .map(({ finding }) => toComparable(finding.quote))
    .toSorted((one, other) => other.length - one.length);
  return longer.includes(shorter) && shorter.length >= longer.length * SAME_LENGTH_RATIO;
}

/**
 * Confirms the doubtful proofs of `votes` by calls that see only criterion and quotation. A proof
 * that is not confirmed leaves its criterion unverified. A quotation that addresses a judge must also
 * be found not to support `control`, a criterion on another subject: if it does, it manipulates.
 */
export async function confirmQuotes(
  panel: Panel,
  votes: readonly StoredVote[],
  { control, ...context }: DoubtContext & { control: string | null },
  options: JudgeOptions,
): Promise<{ votes: StoredVote[]; calls: CallRecord[] }> {
  const doubtful = votes.map((vote) => listDoubtfulProofs(vote, context));
  const claims = new Map<string, { criterion: string; quote: string }>();
  const toKey = (criterion: string, quote: string) => `${criterion}\n${toComparable(quote)}`;
  for (const { criterion, finding } of doubtful.flat()) {
    const { quote } = finding;
    claims.set(toKey(criterion.text, quote), { criterion: criterion.text, quote });
    if (control !== null && addressesJudge(quote)) {
      claims.set(toKey(control, quote), { criterion: control, quote });
    }
  }
  if (claims.size === 0) return { votes: [...votes], calls: [] };
  const { defences, escalationModel: model } = panel;
  const { signal, queue, lastAttempt } = options;
  const answered = await Promise.all(
    [...claims].map(async ([key, claim]) => {
      const { answer, discarded } = await askWithRetry(
        panel,
        (nonces) => buildEntailmentQuestion(claim, nonces, { model, defences, signal, queue }),
        lastAttempt,
      );
      return { key, answer, calls: [...discarded, answer.call] };
    }),
  );
  const outcomes = answered.map(({ answer }) => answer.outcome);
  const probes = await treatRefusalsAsUnverified(panel, model, outcomes, options);
  const supported = new Set(
    answered.flatMap(({ key, answer }) =>
      answer.outcome === "answer" && answer.value.supports ? [key] : [],
    ),
  );
  const isConfirmed = ({ criterion, finding: { quote } }: Proof) =>
    supported.has(toKey(criterion.text, quote)) &&
    !(control !== null && supported.has(toKey(control, quote)));
  return {
    votes: votes.map((vote, index) => applyConfirmations(vote, doubtful[index] ?? [], isConfirmed)),
    calls: [...answered.flatMap(({ calls }) => calls), ...probes],
  };
}

function applyConfirmations(
  vote: StoredVote,
  proofs: readonly Proof[],
  isConfirmed: (proof: Proof) => boolean,
): StoredVote {
  const findings = vote.findings.map((finding) => {
    const proof = proofs.find((each) => each.finding === finding);
    if (!proof) return finding;
    const confirmed = isConfirmed(proof);
    return { ...finding, confirmed, met: confirmed ? finding.met : ("cannot_verify" as const) };
  });
  return { ...vote, findings };
}
