import { type Hex, recoverTypedDataAddress } from "viem";
import { TIERS } from "@/server/lib/schema";
import { POLICY } from "@/server/reputation/policy";
import { getTier } from "@/server/reputation/score/score";
import type { ScoreStatement, SignedStatement } from "./schema";
import { POLICY_HASH, toTypedData } from "./typed-data";

/**
 * Checks a statement without the ledger: signature, expiry and fields that must agree. Returns one
 * sentence for each fault. A valid signature only proves that `signed.signer` signed; whether that account
 * counts is the gate's decision. Contracts as signers (ERC-1271) are not supported.
 * @param now Unix seconds.
 */
export async function findFaults(signed: SignedStatement, now: number): Promise<string[]> {
  const { message } = signed;
  const { policy, issuedAt, expiresAt, scoreCenti, outcomes, tier } = message;
  const faults: string[] = [];
  if ((await recoverSigner(signed)) !== signed.signer) {
    faults.push(`The signature is not that of ${signed.signer} over these fields.`);
  }
  if (expiresAt <= issuedAt) faults.push("It expires before it was issued.");
  if (now >= expiresAt) faults.push(`It expired at ${formatTime(expiresAt)}.`);
  if (policy !== POLICY_HASH) {
    faults.push(`Its policy ${policy} is not that of ${POLICY.name}, ${POLICY_HASH}.`);
  } else if (tier !== TIERS.indexOf(getTier(scoreCenti * 100, outcomes))) {
    faults.push(`Tier ${tier} is not that of ${scoreCenti / 100} points and ${outcomes} outcomes.`);
  }
  return faults;
}

/**
 * Compares a statement with the one recomputed from the ledger. Returns one sentence for each
 * difference.
 */
export function compareStatements(signed: ScoreStatement, recomputed: ScoreStatement): string[] {
  return (["scoreCenti", "tier", "outcomes", "head"] as const).flatMap((field) =>
    signed[field] === recomputed[field]
      ? []
      : [
          `${field} is ${signed[field]}; the ledger at record ${signed.seq} gives ${recomputed[field]}.`,
        ],
  );
}

/** Returns the account that signed, or null if the signature is malformed. */
function recoverSigner({ domain, message, signature }: SignedStatement): Promise<string | null> {
  const typedData = { ...toTypedData(domain, message), signature: signature as Hex };
  return recoverTypedDataAddress(typedData).catch(() => null);
}

const formatTime = (unixSeconds: number) => new Date(unixSeconds * 1000).toISOString();
