import { writeFileSync } from "node:fs";
import { type APIRequestContext, expect, test } from "playwright/test";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { SEED_FILE } from "@/playwright.config";
import { removeInvisibleAndControls } from "@/server/lib/invisible";
import { agree } from "./support/agreements";
import {
  GOOD_WORK,
  type PayingAgent,
  post,
  register,
  runAnchors,
  seedOutcomes,
  submitOutcome,
  waitForResolution,
} from "./support/api";
import { payStake } from "./support/chain";
import type { Seed } from "./support/seed";
import { ALL_ATTACKS, ATTACKS, HOSTILE_URL, submitHostile } from "./support/untrusted-input";

type BaseUrl = string | undefined;

test("the service starts without anchors, and gets the records that tests share", async ({
  request,
  baseURL,
}) => {
  expect(await (await request.get("/anchors")).text()).toContain("No known clients yet");
  const undelivered = await seedAgreement(request);
  const [quill, finch, linnet, wren, anchored, hostile] = await Promise.all([
    seedOutcomes(request, { contractor: "Quill", requester: "Sandpiper" }, [GOOD_WORK, "  "]),
    seedDispute(request, baseURL),
    seedOutcomes(request, { contractor: "Linnet <Agent>", requester: "Avocet" }, [GOOD_WORK]),
    seedOutcomes(request, { contractor: "=Wren", requester: "Heron" }, [GOOD_WORK]),
    seedAnchor(request),
    seedAttacks(request, baseURL),
  ]);
  const seed: Seed = { quill, finch, linnet, wren, anchored, hostile, undelivered };
  writeFileSync(SEED_FILE, JSON.stringify(seed));
});

async function seedDispute(request: APIRequestContext, baseURL: BaseUrl) {
  const names = { contractor: "Finch", requester: "Bunting" };
  const job = await seedOutcomes(request, names, [GOOD_WORK, " "]);
  const { disputeId } = await post(request, "/disputes", job.requester, {
    outcomeId: job.outcomeIds[0],
    reason: "It names no source for what it says.",
    stakePaymentTxHash: await payStake(baseURL, job.requester.account),
  });
  return { ...job, disputeId };
}

async function seedAnchor(request: APIRequestContext) {
  const [contractor, requester] = await Promise.all([
    register(request, "Godwit"),
    register(request, "Whinchat", { isVerified: true }),
  ]);
  const added = await runAnchors("add", requester.wallet, "--reason", "A customer");
  expect(added).toContain("Recorded: record");
  const deliverable = { content: GOOD_WORK };
  const job = { contractor, requester, deliverable, submitter: requester };
  const outcomeId = await submitOutcome(request, job);
  await waitForResolution(request, outcomeId);
  return { contractor, requester, outcomeIds: [outcomeId] };
}

async function seedAttacks(request: APIRequestContext, baseURL: BaseUrl) {
  const agents = await Promise.all(ATTACKS.map((attack) => registerHostile(request, attack)));
  const [first, second] = agents as [PayingAgent, PayingAgent];
  const outcomeIds = await Promise.all(
    agents.map((contractor, at) => {
      const requester = agents[(at + 1) % agents.length] as PayingAgent;
      return submitHostile(request, contractor, requester);
    }),
  );
  await Promise.all(outcomeIds.map((outcomeId) => waitForResolution(request, outcomeId)));
  const { disputeId } = await post(request, "/disputes", second, {
    outcomeId: outcomeIds[0],
    reason: ALL_ATTACKS,
    evidenceUrl: HOSTILE_URL,
    stakePaymentTxHash: await payStake(baseURL, second.account),
  });
  await post(request, `/disputes/${disputeId}/stake`, first, {
    statement: ALL_ATTACKS,
    evidenceUrl: HOSTILE_URL,
    stakePaymentTxHash: await payStake(baseURL, first.account),
  });
  const anchor = await register(request, ATTACKS[0] ?? "", { isVerified: true });
  const reason = ATTACKS.slice(0, 4).join(" ");
  await runAnchors("add", anchor.wallet, "--until", "2099-12-31", "--reason", reason);
  return { agents, outcomeIds, disputeId };
}

/** Registers an agent with an attack as name, minus characters that names must not contain. */
function registerHostile(request: APIRequestContext, attack: string): Promise<PayingAgent> {
  const name = removeInvisibleAndControls(attack).replace(/\u2028/g, "");
  return register(request, name, {
    description: removeInvisibleAndControls(ALL_ATTACKS).slice(0, 1_000),
  });
}

/** Has two agents agree, with a deadline that passes while other tests run. */
async function seedAgreement(request: APIRequestContext) {
  const clientKey = generatePrivateKey();
  const [client, contractor] = await Promise.all([
    register(request, "Patient Client", {
      isVerified: true,
      account: privateKeyToAccount(clientKey),
    }),
    register(request, "Late Contractor", { isVerified: true }),
  ]);
  return { agreementId: await agree(request, { client, contractor }, 125), clientKey };
}
