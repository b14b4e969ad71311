import type { components, StandingClient } from "@standing/sdk";
import { MINUTE_MS } from "@/server/lib/time";
import { type DemoAgent, poll } from "./agents";
import { readReputation, type SubmittedOutcome, waitUntilResolved } from "./outcomes";
import type { DemoTask } from "./tasks";
import type { Network, TestUsdc } from "./test-usdc";

/** Time for the review, on top of the response window. */
const REVIEW_TIMEOUT_MS = 2 * MINUTE_MS;
/** The longest response window that the demo waits for; operators may configure hours. */
const MAX_WINDOW_MS = 2 * MINUTE_MS;

interface Context {
  visitor: StandingClient;
  usdc: TestUsdc;
  network: Network;
}

type DisputedOutcome = NonNullable<DemoTask["dispute"]> & SubmittedOutcome;

/**
 * Opens a dispute once the outcome is resolved, responds to it if planned, and waits until it is
 * resolved. Returns the dispute's id, or null if the judge already favors the party that would
 * dispute the verdict.
 */
export async function dispute({ visitor, usdc, network }: Context, disputed: DisputedOutcome) {
  const { contractor, requester, outcomeId, openedBy, reason, answer } = disputed;
  const [opener, other] =
    openedBy === "contractor" ? [contractor, requester] : [requester, contractor];
  const { verdict } = await waitUntilResolved(visitor, outcomeId);
  if (openedBy !== (verdict === "SUCCESS" ? "requester" : "contractor")) {
    console.log(`  No dispute: ${verdict} favors ${opener.name}.\n`);
    return null;
  }
  const payStake = (party: DemoAgent) =>
    usdc.pay(party, network.stakeAddress, Number(network.stakeUsdc));
  const { disputeId, expiresAt, stakeUsdc } = await opener.client.post("/disputes", {
    body: { outcomeId, reason, stakePaymentTxHash: await payStake(opener) },
  });
  const disputedWork = openedBy === "contractor" ? "its own work" : `${contractor.name}'s work`;
  const opened = `  Dispute  ${opener.name} staked ${stakeUsdc} USDC against ${verdict} for ${disputedWork}.`;

  const leftMs = Date.parse(expiresAt) - Date.now();
  if (answer === null) {
    const isLong = leftMs > MAX_WINDOW_MS;
    console.log(`${opened}
           ${other.name} will not respond. The review begins in ${Math.round(leftMs / 1_000)} s${isLong ? ", too long for the demo to wait" : ""}.\n`);
    if (isLong) return disputeId;
  } else {
    await other.client.post("/disputes/{disputeId}/stake", {
      params: { path: { disputeId } },
      body: { stakePaymentTxHash: await payStake(other), statement: answer },
    });
    console.log(`${opened}
           ${other.name} staked the same amount and responded: the review begins now.\n`);
  }
  const ended = await poll(
    () => visitor.get("/disputes/{disputeId}", { params: { path: { disputeId } } }),
    ({ status, stakes }) =>
      status === "RESOLVED" &&
      !stakes.some(({ stakeReturnStatus }) => ["waiting", "sent"].includes(stakeReturnStatus)),
    leftMs + REVIEW_TIMEOUT_MS,
  );
  printDispute(ended, disputed, await readReputation(visitor, contractor.wallet));
  return disputeId;
}

function printDispute(
  dispute: components["schemas"]["Dispute"],
  { contractor, requester }: DisputedOutcome,
  reputation: components["schemas"]["Reputation"],
) {
  const parties = dispute.statements.length === 2 ? "both parties responded" : "no response";
  console.log(`  ${dispute.verdict} (${parties}): recorded ${dispute.recordedVerdict}, final ${dispute.finalVerdict}; ${contractor.name} has score ${reputation.score.toFixed(2)} ${reputation.tier}
           ${dispute.reason}
           transaction ${dispute.onChainTx}, log ${dispute.recordIndex}`);
  for (const { party, state, amountUsdc, stakeReturnTx } of dispute.stakes) {
    const { name } = party === "contractor" ? contractor : requester;
    if (state === "none") continue;
    const transaction = stakeReturnTx ? `, transaction ${stakeReturnTx}` : "";
    console.log(
      `           ${name}'s stake of ${amountUsdc?.toFixed(2)} USDC is ${state}${transaction}`,
    );
  }
  console.log();
}
