import { isAddress } from "viem";
import { ProblemError, type StandingClient } from "./client.js";
import type { components } from "./openapi.js";
import { type ScoreStatement, verifyStatement } from "./verify-statement.js";

type Tier = components["schemas"]["Tier"];
type Network = components["schemas"]["Network"];

/** Which payments to refuse: those of wallets below a tier or a score. */
export type RefusalOptions = (
  | { tier: Tier; score?: undefined }
  /** 0 to 100. */
  | { score: number; tier?: undefined }
) & {
  /** Most USDC in one payment, whatever the score. Payments in another currency are then refused. */
  maxAtStake?: number;
  /** What to do while the score of a wallet is not available. `refuse` by default. */
  onError?: "allow" | "refuse";
};

/** What the hooks read of x402's `PaymentRequirements`. */
interface Requirements {
  network: string;
  asset: string;
  /** In the smallest unit of the asset. */
  amount: string;
  payTo: string;
}

interface Refusal {
  abort: true;
  reason: string;
}

/** Hooks of x402 that refuse a payment, or return undefined to let it continue. */
export interface X402Hooks {
  /**
   * For `onAfterVerify` of the seller's `x402ResourceServer`: checks who pays, and, if the client has the
   * seller's key, that the payment is not one of its agreements, which would be paid with the same money.
   */
  seller(context: {
    paymentPayload?: { payload: Record<string, unknown> };
    requirements: Requirements;
    result: { isValid: boolean; payer?: string };
  }): Promise<Refusal | undefined>;
  /** For `onBeforePaymentCreation` of the buyer's `x402Client`: checks who is paid. */
  buyer(context: { selectedRequirements: Requirements }): Promise<Refusal | undefined>;
}

/**
 * Returns hooks for x402 that refuse to trade with wallets below a tier or a score, by their signed
 * statement. A statement is verified, and kept until it expires. Throws a `TypeError` if the options name
 * no such limit.
 */
export function refuseBelow(client: StandingClient, options: RefusalOptions): X402Hooks {
  const { maxAtStake, onError = "refuse" } = options;
  const findShortfall = createScoreCheck(options);
  if (maxAtStake !== undefined && !(Number.isFinite(maxAtStake) && maxAtStake >= 0)) {
    throw new TypeError("maxAtStake must be an amount of USDC.");
  }
  let network: Network | undefined;
  const readStatement = keepUntilExpiry(async (wallet) => {
    const read = { signal: AbortSignal.timeout(TIMEOUT_MS) };
    network = await client.get("/network", read);
    const { chainId, statements } = network;
    if (!statements) throw new Error("The service signs no statements.");
    const path = { walletAddress: wallet };
    const signed = await client.get("/reputation/{walletAddress}/statement", {
      params: { path },
      ...read,
    });
    return verifyStatement(signed, { chainId, wallet, ...statements });
  });

  /** Returns why the payment must be refused; null if nothing speaks against it. */
  async function findReason(wallet: unknown, required: Requirements): Promise<string | null> {
    if (typeof wallet !== "string" || !isAddress(wallet, { strict: false })) {
      return "The payment names no wallet that can have a score.";
    }
    const statement = await readStatement(wallet.toLowerCase()).catch(() => null);
    // The other party may choose chain and currency, so they are no reason to let a payment through.
    if (network && required.network !== `eip155:${network.chainId}`) {
      return `Only wallets on ${network.chainName} have a score.`;
    }
    if (maxAtStake !== undefined && !isAtMost(maxAtStake, required, network)) {
      return `The payment is not known to be at most ${maxAtStake} USDC.`;
    }
    if (statement) return findShortfall(statement);
    return onError === "allow" ? null : `The score of ${wallet} is not available now.`;
  }

  /** Returns why a payment with this EIP-3009 nonce is refused; null if it pays no agreement. */
  async function findAgreed(digest: string): Promise<string | null> {
    try {
      const params = { query: { digest: digest.toLowerCase(), limit: 1 } };
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const { content } = await client.get("/agreements", { params, signal });
      return content[0] ? `Its nonce makes it pay agreement ${content[0].agreementId}.` : null;
    } catch (error) {
      // A seller without a key has no agreements here.
      const hasNone = error instanceof ProblemError && error.code === "unauthenticated";
      return hasNone || onError === "allow"
        ? null
        : "The seller's agreements are not available now.";
    }
  }

  async function refuse(wallet: unknown, required: Requirements): Promise<Refusal | undefined> {
    const reason = await findReason(wallet, required);
    return reason === null ? undefined : { abort: true, reason };
  }
  return {
    seller: async ({ paymentPayload, requirements, result }) => {
      if (!result.isValid) return undefined;
      const signed = paymentPayload?.payload.authorization as { nonce?: string } | undefined;
      const reason = signed?.nonce ? await findAgreed(signed.nonce) : null;
      return reason === null ? refuse(result.payer, requirements) : { abort: true, reason };
    },
    buyer: ({ selectedRequirements }) => refuse(selectedRequirements.payTo, selectedRequirements),
  };
}

/** A payment waits for the score, so longer than this counts as not available. */
const TIMEOUT_MS = 5_000;

/** In the order in which statements number them. */
const TIERS: Tier[] = ["UNRANKED", "NEWCOMER", "TRUSTED", "VERIFIED", "ELITE"];

/** Returns a function that says what a wallet lacks; null if nothing. */
function createScoreCheck({ tier, score }: RefusalOptions) {
  const least = tier === undefined ? undefined : TIERS.indexOf(tier);
  const isScore = score !== undefined && score >= 0 && score <= 100;
  if (least === undefined ? !isScore : least < 0 || score !== undefined) {
    throw new TypeError(`Give either a tier (${TIERS.join(", ")}) or a score from 0 to 100.`);
  }
  return ({ wallet, tier: reached, scoreCenti }: ScoreStatement): string | null => {
    if (least === undefined ? scoreCenti >= Number(score) * 100 : reached >= least) return null;
    const has = `${TIERS[reached]} with a score of ${(scoreCenti / 100).toFixed(2)}`;
    return `${wallet} is ${has}, below ${tier ?? score}.`;
  };
}

/** Returns whether the payment is known to move at most `usdc`. */
function isAtMost(usdc: number, { asset, amount }: Requirements, network: Network | undefined) {
  const isUsdc = asset?.toLowerCase() === network?.usdcAddress.toLowerCase();
  return isUsdc && /^\d{1,78}$/.test(amount) && BigInt(amount) <= BigInt(Math.round(usdc * 1e6));
}

/** So that payers with many wallets can't fill the memory. */
const MAX_KEPT = 10_000;

/** Keeps what `read` returns for a wallet until it expires. Concurrent callers share one read. */
function keepUntilExpiry(read: (wallet: string) => Promise<ScoreStatement>) {
  const kept = new Map<string, { statement: Promise<ScoreStatement>; until: number }>();
  return (wallet: string): Promise<ScoreStatement> => {
    const known = kept.get(wallet);
    if (known && Date.now() < known.until) return known.statement;
    const [oldest] = kept.keys();
    if (oldest !== undefined && kept.size >= MAX_KEPT) kept.delete(oldest);
    const entry = { statement: read(wallet), until: Number.POSITIVE_INFINITY };
    kept.set(wallet, entry);
    entry.statement.then(
      ({ expiresAt }) => {
        entry.until = expiresAt * 1_000;
      },
      () => {
        if (kept.get(wallet) === entry) kept.delete(wallet);
      },
    );
    return entry.statement;
  };
}
