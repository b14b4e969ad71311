import { eq } from "drizzle-orm";
import { type Address, encodeDeployData } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import OwnedWallet from "@/contracts/testing/OwnedWallet.json";
import { agents } from "@/server/agents/tables";
import { hashAgreement } from "@/server/agreements/hash-terms";
import type { AgreementRow } from "@/server/agreements/public-agreement";
import { readRegistry } from "@/server/chain/registry/read-registry";
import { toChecksumAddress } from "@/server/lib/wallet";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { type GroupedLedger, groupLedger } from "@/server/reputation/score/group-ledger";
import { authorizeTransfer } from "@/server/testing/chain/authorization";
import { sendDirectly } from "@/server/testing/chain/chain";
import {
  createFundedAccount,
  fund,
  getServiceChain,
  type LocalPayments,
} from "@/server/testing/chain/payments";
import type { TestAgent } from "@/server/testing/fixtures/agent";
import { insertAgreement, signTerms } from "@/server/testing/fixtures/agreement";
import { startTestService, type TestService } from "@/server/testing/service";
import { compareAgreements, type SigningChain } from "./compare-agreements";

let service: TestService;
let local: LocalPayments;
let contractor: TestAgent;
let requester: TestAgent;
let chain: SigningChain;
/** Outcomes as the service shows them, recorded on a real chain. */
let signed: PublicOutcome;
let paid: PublicOutcome;
let byContractWallet: PublicOutcome;
let notAgreed: PublicOutcome;
let ledger: GroupedLedger;

beforeAll(async () => {
  service = await startTestService();
  local = getServiceChain(service);
  contractor = await service.agent({ proven: true });
  requester = await service.agent({ proven: true });
  const { core } = service.runtime;
  chain = core.chain;
  signed = await deliver(contractor, await insertAgreement(core, { contractor, requester }));
  paid = await deliver(contractor, await agreeByPaying());
  const ofContract = await createContractWallet();
  byContractWallet = await deliver(ofContract, await agreeByContract(ofContract));
  notAgreed = await service.waitForResolved(await service.submit(contractor));
  const { registryAddress: address, client } = core.chain;
  ledger = groupLedger((await readRegistry({ client, address })).records);
}, 60_000);
afterAll(() => service.close());

async function deliver(by: TestAgent, { id: agreementId }: AgreementRow) {
  const { body } = await service.call("POST", "/outcome", {
    key: by.apiKey,
    body: { agreementId, deliverableContent: "The Rhine, the Loire and the Vistula." },
  });
  return service.waitForResolved(body.outcomeId);
}

/** Returns an agreement that the requester accepted by an EIP-3009 payment. */
async function agreeByPaying(): Promise<AgreementRow> {
  const { core } = service.runtime;
  await fund(local, requester.wallet);
  const row = await insertAgreement(
    core,
    { contractor, requester },
    { payment: "upfront" },
    { status: "PROPOSED", proposedBy: "contractor", requesterSignature: null, agreedAt: null },
  );
  const call = await authorizeTransfer(local, requester.account, {
    to: contractor.wallet,
    amountMicro: row.valueMicro,
    nonce: hashAgreement(core.chain.registryAddress, row.terms, row.termsHash),
  });
  await sendDirectly(local.chain, await createFundedAccount(local), call);
  return row;
}

/** Returns an agreement that a contract wallet accepted by the signature of its owner. */
async function agreeByContract(by: TestAgent): Promise<AgreementRow> {
  const { core } = service.runtime;
  const proposed = { status: "PROPOSED", contractorSignature: null, agreedAt: null } as const;
  const row = await insertAgreement(core, { contractor: by, requester }, {}, proposed);
  const { status } = await service.call("POST", `/agreements/${row.id}/accept`, {
    key: by.apiKey,
    body: { signature: await signTerms(core.chain, by.account, row.terms) },
  });
  expect(status).toBe(200);
  return row;
}

/** Creates an agent whose wallet is a contract, for which its account signs. */
async function createContractWallet(): Promise<TestAgent> {
  const owner = await service.agent({ proven: true });
  const code = { ...OwnedWallet, args: [owner.wallet] };
  const data = encodeDeployData(code as Parameters<typeof encodeDeployData>[0]);
  const payer = await createFundedAccount(local);
  const { contractAddress } = await sendDirectly(local.chain, payer, { data, gas: 2_000_000n });
  const wallet = toChecksumAddress(contractAddress ?? expect.fail());
  await service.database.db.update(agents).set({ wallet }).where(eq(agents.id, owner.id));
  return { ...owner, wallet };
}

type Agreement = NonNullable<NonNullable<PublicOutcome["evidence"]>["agreement"]>;

/** Returns the outcome with other evidence of its agreement, as a lying service would show it. */
function forge(outcome: PublicOutcome, changes: Partial<Agreement>): PublicOutcome {
  const { evidence } = outcome;
  if (!evidence?.agreement) throw new Error("there is no agreement to forge");
  return {
    ...outcome,
    evidence: { ...evidence, agreement: { ...evidence.agreement, ...changes } },
  };
}

const findFields = async (outcome: PublicOutcome) =>
  (await compareAgreements([outcome], ledger, chain)).map(({ field }) => field);

test("what both signed passes: by accounts, by a payment, and by a contract wallet", async () => {
  expect([signed, paid, byContractWallet].map(({ agreed }) => agreed)).toEqual([true, true, true]);
  expect(paid.evidence?.agreement).toMatchObject({
    requesterSignature: null,
    paymentTxHash: expect.stringMatching(/^0x/),
  });
  const shown = [signed, paid, byContractWallet, notAgreed];
  expect(await compareAgreements(shown, ledger, chain)).toEqual([]);
});

test("a contract wallet is asked at the block at which it signed, whatever it accepts later", async () => {
  const { contractorBlock, requesterBlock } = byContractWallet.evidence?.agreement ?? {};
  expect([contractorBlock, requesterBlock]).toEqual([expect.any(Number), null]);
  const address = byContractWallet.contractorAgentAddress as Address;
  const bytecode = (await chain.client.getCode({ address })) ?? expect.fail();
  // As if its owner had changed: it returns false for every signature.
  await local.node.setCode({ address, bytecode: "0x5f5f5260205ff3" });
  try {
    expect(await findFields(byContractWallet)).toEqual([]);
    const before = { contractorBlock: 1 };
    expect(await findFields(forge(byContractWallet, before))).toEqual(["contractor signature"]);
    const never = { contractorBlock: "soon" as never };
    expect(await findFields(forge(byContractWallet, never))).toEqual(["contractor signature"]);
  } finally {
    await local.node.setCode({ address, bytecode });
  }
});

describe("forged evidence is found:", () => {
  test.each<[string, () => Partial<Agreement>, string[]]>([
    ["another deadline", () => ({ deliverBy: 1_800_000_000 }), ["contractor", "requester"]],
    ["other terms", () => ({ termsHash: `0x${"1".repeat(64)}` }), ["contractor", "requester"]],
    ["no deadline", () => ({ deliverBy: "soon" as never }), ["contractor", "requester"]],
    [
      "one party's signature for both",
      () => ({ contractorSignature: signed.evidence?.agreement?.requesterSignature ?? "" }),
      ["contractor"],
    ],
    ["an empty signature", () => ({ requesterSignature: "0x" }), ["requester"]],
    ["what is no signature", () => ({ contractorSignature: "signed" }), ["contractor"]],
    ["no consent of the requester", () => ({ requesterSignature: null }), ["requester"]],
    [
      "the payment of another agreement",
      () => ({
        requesterSignature: null,
        paymentTxHash: paid.evidence?.agreement?.paymentTxHash ?? null,
      }),
      ["requester"],
    ],
    [
      "a payment that does not exist",
      () => ({ requesterSignature: null, paymentTxHash: `0x${"9".repeat(64)}` }),
      ["requester"],
    ],
  ])("%s", async (_, change, parties) => {
    const fields = await findFields(forge(signed, change()));
    expect(fields).toEqual(parties.map((party) => `${party} signature`));
  });

  test("a payment in a token of the service's own", async () => {
    const ownToken = { ...chain, usdcAddress: chain.registryAddress };
    const found = await compareAgreements([paid], ledger, ownToken);
    expect(found.map(({ field }) => field)).toEqual(["requester signature"]);
    // On a chain whose USDC is known, the address that the service names does not count.
    const onBase = await compareAgreements([paid], ledger, { ...chain, id: 8453 });
    expect(onBase).toHaveLength(2);
  });

  test("a signature for another registry, and of a contract wallet's stranger", async () => {
    const other = { ...chain, registryAddress: chain.usdcAddress };
    expect(await compareAgreements([signed], ledger, other)).toHaveLength(2);
    const { requesterSignature } = byContractWallet.evidence?.agreement ?? {};
    const stranger = { contractorSignature: requesterSignature ?? "" };
    expect(await findFields(forge(byContractWallet, stranger))).toEqual(["contractor signature"]);
  });

  test("an agreement without the mark in the record, and the mark without an agreement", async () => {
    const { agreement } = signed.evidence ?? {};
    const claimed = { ...notAgreed, evidence: { ...notAgreed.evidence, agreement } };
    expect(await findFields(claimed as PublicOutcome)).toContain("agreed");
    const { agreement: _, ...rest } = signed.evidence ?? {};
    expect(await findFields({ ...signed, evidence: rest } as PublicOutcome)).toEqual(["agreed"]);
  });
});

test("a record's value and parties are part of what was signed", async () => {
  const placed = ledger.getOutcome(signed.outcomeId);
  if (placed?.record.type !== "outcome") throw new Error("the outcome has no record");
  const { record } = placed;
  for (const changed of [
    { ...record, valueMicro: record.valueMicro + 1 },
    { ...record, requester: record.contractor, contractor: record.requester },
  ]) {
    const forged = groupLedger([{ ...placed, record: changed }]);
    expect(await compareAgreements([signed], forged, chain)).toHaveLength(2);
  }
});
