import type { Facts } from "@/scripts/chaos/facts";
import type { Call } from "@/scripts/chaos/history";
import {
  defineInvariant,
  findBy,
  findRecords,
  getFields,
  type Invariant,
  isSubmission,
  REVOKED_KEY,
} from "@/scripts/chaos/invariant";

const hasWalletProof = ({ request }: Call) => (request as { walletProof?: object })?.walletProof;

/** Returns whether a submission of the wallet was acknowledged before its first wallet proof. */
function hadSubmitted({ calls }: Facts, wallet: string): boolean {
  const own = findBy(calls, { actor: wallet });
  const provenAt = own.find(hasWalletProof)?.at ?? Number.POSITIVE_INFINITY;
  return own.some((call) => isSubmission(call) && call.status === 202 && call.at < provenAt);
}

export const registrationInvariants: Invariant[] = [
  defineInvariant(
    "acknowledged takeovers",
    "a wallet whose takeover was acknowledged is stored as taken over exactly once",
    ({ calls }) =>
      findBy(calls, { path: "/agents/register", status: 201 }).filter(
        (call) => getFields(call).takeover === true,
      ),
    ({ actor }) => actor,
    ({ actor: wallet }, { rows }) => {
      const times = findBy(rows.takeovers, { wallet }).length;
      return times !== 1 && `was taken over ${times} times`;
    },
  ),
  defineInvariant(
    "one chain record per takeover",
    "a takeover is recorded on chain exactly once if the old registration had submitted, and never otherwise",
    ({ rows, chain }) => [
      ...new Set([
        ...rows.takeovers.map(({ wallet }) => wallet),
        ...chain.records.flatMap(({ type, subject }) => (type === "takeover" ? [subject] : [])),
      ]),
    ],
    (wallet) => wallet,
    (wallet, facts) => {
      const takeovers = findBy(facts.rows.takeovers, { wallet }).length;
      const recorded = findRecords(facts, "takeover", wallet).length;
      const expected = hadSubmitted(facts, wallet) ? takeovers : 0;
      return recorded !== expected && `taken over ${takeovers} times, recorded ${recorded} times`;
    },
  ),
  defineInvariant(
    "old keys are revoked",
    "after a takeover every process rejects the old keys",
    ({ calls }) =>
      calls.filter(({ actor, status }) => actor.endsWith(REVOKED_KEY) && status !== null),
    ({ actor }) => actor,
    ({ app, status }) => {
      const isRejected = status === 401 || status === 429 || (status ?? 0) >= 500;
      return !isRejected && `${app} responded with ${status}`;
    },
  ),
  defineInvariant(
    "one chain record per anchor",
    "every anchor is recorded on chain once, and every revocation once; nothing else is",
    ({ rows }) => rows.anchors,
    ({ wallet }) => wallet,
    ({ wallet, seq, revokeAskedAt, revokedSeq }, facts) => {
      const isRevoked = revokeAskedAt !== null;
      if (seq === null) return !isRevoked && "an anchor is not recorded";
      const recorded = findBy(findRecords(facts, "anchor", wallet), { seq }).length;
      const revocations = findRecords(facts, "anchor-revoked", String(seq));
      const isRight =
        recorded === 1 &&
        revocations.length === (isRevoked ? 1 : 0) &&
        (!isRevoked || revocations[0]?.seq === revokedSeq);
      return (
        !isRight &&
        `anchor ${seq} is recorded ${recorded} times and revoked ${revocations.length} times`
      );
    },
  ),
  defineInvariant(
    "no unrequested anchors",
    "every anchor and every revocation on chain was requested by the operator's command",
    ({ chain }) =>
      chain.records.filter(({ type }) => type === "anchor" || type === "anchor-revoked"),
    ({ subject }) => subject,
    ({ seq, type, subject: wallet }, { rows }) => {
      const fields = type === "anchor" ? { seq, wallet } : { revokedSeq: seq };
      return findBy(rows.anchors, fields).length === 0 && `${type} in record ${seq}`;
    },
  ),
];
