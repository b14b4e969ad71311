import {
  type Address,
  type Hex,
  hashTypedData,
  isHex,
  type PublicClient,
  TransactionReceiptNotFoundError,
  type TypedDataDefinition,
} from "viem";
import { toTypedData } from "@/server/agreements/typed-data";
import { extractTransfers } from "@/server/chain/payments/transfers";
import type { PlacedRecord } from "@/server/chain/registry/decode-records";
import type { OutcomeRecord } from "@/server/chain/registry/ledger";
import { isSignedBy } from "@/server/chain/signature";
import type { PublicOutcome } from "@/server/outcomes/schema";
import type { GroupedLedger } from "@/server/reputation/score/group-ledger";
import type { Difference } from "./compare-with-ledger";

/** The chain that the agreements were signed for. */
export interface SigningChain {
  id: number;
  client: PublicClient;
  registryAddress: string;
  /** The USDC contract that the service names; it counts only on a chain whose USDC is not known. */
  usdcAddress: string;
}

/** Circle's contracts. A service could name a contract of its own, whose events prove nothing. */
const USDC: Record<number, Address> = {
  8453: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  84532: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
};

type Agreement = NonNullable<NonNullable<PublicOutcome["evidence"]>["agreement"]>;

/**
 * Checks that both parties signed what a record marks as agreed: recovers the signers of the terms
 * from the record and the evidence. Also reports evidence of an agreement whose record has no mark, and
 * the reverse. A contract wallet is asked on the chain at the block that the evidence names, which needs
 * a node that has old states. Lost evidence is no difference. Rejects if the node fails.
 */
export async function compareAgreements(
  shown: PublicOutcome[],
  ledger: GroupedLedger,
  chain: SigningChain,
): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (const { outcomeId, evidence } of shown) {
    const placed = ledger.getOutcome(outcomeId);
    if (!evidence || placed?.record.type !== "outcome") continue;
    const { record } = placed;
    const { agreement } = evidence;
    const report = (field: string, found: unknown, expected: unknown) =>
      differences.push({
        subject: `agreement of outcome ${outcomeId}`,
        field,
        shown: found,
        expected,
        records: [placed as PlacedRecord],
      });
    if (record.agreed !== (agreement !== undefined)) {
      report("agreed", agreement !== undefined, record.agreed);
    }
    if (!agreement) continue;
    const unsigned = await findUnsigned(agreement, record, chain);
    for (const party of unsigned) report(`${party} signature`, "another or none", record[party]);
  }
  return differences;
}

const PARTIES = ["contractor", "requester"] as const;

/** Returns the parties whose consent the evidence does not prove. */
async function findUnsigned(
  agreement: Agreement,
  record: OutcomeRecord,
  chain: SigningChain,
): Promise<(typeof PARTIES)[number][]> {
  const { requesterSignature, paymentTxHash } = agreement;
  const { contractor, requester, valueMicro } = record;
  const digest = computeDigest(chain, { ...agreement, contractor, requester, valueMicro });
  if (!digest) return [...PARTIES];
  const { contractorSignature, contractorBlock, requesterBlock } = agreement;
  const hasSigned = {
    contractor: await isSigned(chain, contractor, digest, contractorSignature, contractorBlock),
    requester:
      requesterSignature === null
        ? await isPaidWith(chain, record, digest, paymentTxHash)
        : await isSigned(chain, requester, digest, requesterSignature, requesterBlock),
  };
  return PARTIES.filter((party) => !hasSigned[party]);
}

/** Returns what both parties signed; null if the evidence is no agreement at all. */
function computeDigest(
  { id: chainId, registryAddress }: SigningChain,
  fields: Pick<Agreement, "termsHash" | "startBy" | "deliverBy" | "summary"> &
    Pick<OutcomeRecord, "contractor" | "requester" | "valueMicro">,
): Hex | null {
  const signed = { ...fields, chainId, valueMicro: String(fields.valueMicro) };
  try {
    return hashTypedData(toTypedData(registryAddress, signed) as TypedDataDefinition);
  } catch {
    return null;
  }
}

const isSigned = async (
  chain: SigningChain,
  wallet: string,
  hash: Hex,
  signature: unknown,
  block: unknown,
): Promise<boolean> =>
  isHex(signature) &&
  signature.length % 2 === 0 &&
  isSignedBy(chain, {
    wallet: wallet as Address,
    hash,
    signature,
    block: Number.isSafeInteger(block) ? (block as number) : null,
  });

/** Returns whether the transaction pays the contractor at least the value, authorized with this nonce. */
async function isPaidWith(
  { id, client, usdcAddress }: SigningChain,
  { requester, contractor, valueMicro }: OutcomeRecord,
  nonce: Hex,
  txHash: unknown,
): Promise<boolean> {
  if (!isHex(txHash)) return false;
  const receipt = await client.getTransactionReceipt({ hash: txHash }).catch((error: unknown) => {
    if (error instanceof TransactionReceiptNotFoundError) return null;
    throw error;
  });
  if (receipt?.status !== "success") return false;
  return extractTransfers({ usdcAddress: USDC[id] ?? (usdcAddress as Address) }, receipt).some(
    ({ from, to, amountMicro, authorizationNonce }) =>
      from === requester &&
      to === contractor &&
      amountMicro >= BigInt(valueMicro) &&
      authorizationNonce === nonce,
  );
}
