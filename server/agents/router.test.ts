import { randomBytes } from "node:crypto";
import { type Address, getAddress } from "viem";
import { afterAll, describe, expect, it } from "vitest";
import { createCallerFactory } from "@/server/lib/trpc";
import { createTestContext, createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { agentsRouter } from "./router";

const database = await createTestDatabase();
afterAll(database.close);
const core = createTestCore(database);

const newWallet = (): Address => getAddress(`0x${randomBytes(20).toString("hex")}`);

function register(ip: string, claimedWallet: string | null = null, fields: object = {}) {
  const { context, headers } = createTestContext(core, { ip, claimedWallet });
  const answer = createCallerFactory(agentsRouter)(context).register({
    agentAddress: newWallet(),
    name: "Agent",
    ...fields,
  });
  return { answer, headers };
}

const RATE_LIMITED = { cause: { code: "rate-limited" } };
const REFUSED = { code: "BAD_REQUEST" };

describe("registrations", () => {
  it("are limited to three per minute for each client, including invalid bodies", async () => {
    const ip = "192.0.2.10";
    await expect(register(ip, null, { name: "" }).answer).rejects.toMatchObject(REFUSED);
    await expect(register(ip, null, { nam: "misspelled" }).answer).rejects.toMatchObject(REFUSED);
    const { answer, headers } = register(ip);
    await answer;
    expect(headers["ratelimit-policy"]).toBe('"register";q=3;w=60, "register-ip";q=60;w=60');
    expect(headers.ratelimit).toMatch(/^"register";r=0;t=\d+, "register-ip";r=57;t=\d+$/);
    await expect(register(ip).answer).rejects.toMatchObject({
      cause: { code: "rate-limited", headers: { "Retry-After": expect.stringMatching(/^\d+$/) } },
    });
  });

  it("count the claimed wallet together with the client, so that no client can lock it out", async () => {
    const [ip, elsewhere, wallet] = ["192.0.2.20", "192.0.2.21", newWallet()];
    for (let i = 0; i < 3; i++) await register(ip, wallet).answer;
    await expect(register(ip, wallet.toLowerCase()).answer).rejects.toMatchObject(RATE_LIMITED);
    await register(elsewhere, wallet).answer;
    await register(ip, newWallet()).answer;
    await register(ip).answer;
  });

  it("with an invalid header are refused and count for the client", async () => {
    const ip = "192.0.2.30";
    for (let i = 0; i < 3; i++) {
      await expect(register(ip, `0xYourWallet${i}`).answer).rejects.toMatchObject({
        cause: { code: "invalid-request" },
      });
    }
    await expect(register(ip).answer).rejects.toMatchObject(RATE_LIMITED);
  });

  it("are limited to sixty per minute for each client, whichever wallets it claims", async () => {
    const ip = "192.0.2.40";
    const all = await Promise.allSettled(
      Array.from({ length: 64 }, () => register(ip, newWallet()).answer),
    );
    expect(all.filter((one) => one.status === "fulfilled")).toHaveLength(60);
  });

  it("count a whole IPv6 network as one client", async () => {
    for (let i = 0; i < 3; i++) await register(`2001:db8::${i}`).answer;
    await expect(register("2001:db8::9").answer).rejects.toMatchObject(RATE_LIMITED);
    await register("2001:db8:0:1::9").answer;
  });

  it("with a wrong key count for the client", async () => {
    const ip = "192.0.2.50";
    const { context } = createTestContext(core, { ip, apiKey: "rep_wrong" });
    const call = createCallerFactory(agentsRouter)(context);
    for (let i = 0; i < 3; i++) {
      await expect(
        call.register({ agentAddress: newWallet(), name: "Agent" }),
      ).rejects.toMatchObject({ cause: { code: "unauthenticated" } });
    }
    await expect(register(ip).answer).rejects.toMatchObject(RATE_LIMITED);
  });
});

it("a key reads its agent, with what only its owner sees", async () => {
  const wallet = newWallet();
  const profile = {
    description: "Reads.",
    categories: ["ops" as const],
    ownerEmail: "o@a.example",
  };
  const { agentId, apiKey } = await register("192.0.2.70", null, {
    agentAddress: wallet,
    ...profile,
  }).answer;
  const read = (key: string | null) =>
    createCallerFactory(agentsRouter)(createTestContext(core, { apiKey: key }).context).own();
  expect(await read(apiKey)).toEqual({
    agentId,
    walletAddress: wallet,
    walletVerified: false,
    name: "Agent",
    ...profile,
    links: {},
    registeredAt: expect.stringMatching(/Z$/),
    erc8004: null,
  });
  await expect(read(null)).rejects.toMatchObject({ cause: { code: "unauthenticated" } });
});
