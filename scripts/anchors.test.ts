import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { runAnchors } from "@/scripts/anchors/run";
import { runCommand, runInProcess } from "@/scripts/testing/command";
import { DAY_MS } from "@/server/lib/time";
import { addAnchor, revokeAnchors } from "@/server/reputation/anchors";
import { anchors, ledgerRecords } from "@/server/reputation/tables";
import { startTestService, type TestService } from "@/server/testing/service";

let service: TestService;
let wallet: string;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  ({ wallet } = await service.agent({ proven: true }));
});

const command = (...args: string[]) =>
  runInProcess(runAnchors, args, { DATABASE_URL: service.database.url });
const readAnchors = () =>
  service.database.db.select().from(anchors).where(eq(anchors.wallet, wallet));

test("adds an anchor that the running service records, lists it, and revokes it", async () => {
  const added = await runCommand(
    "anchors",
    ["add", wallet.toLowerCase(), "--reason", "A customer of ours"],
    { DATABASE_URL: service.database.url },
  );
  expect(added).toMatchObject({ code: 0, stderr: "" });
  const [row] = await readAnchors();
  expect(row).toMatchObject({ until: null, reason: "A customer of ours" });
  expect(added.stdout).toContain(`Recorded: record ${row?.seq}, transaction ${row?.txHash}.`);
  const receipt = await service.runtime.core.chain.client.getTransactionReceipt({
    hash: row?.txHash as `0x${string}`,
  });
  expect(receipt.status).toBe("success");

  const listed = await command("list");
  expect(listed.stdout).toMatch(
    new RegExp(`^active +${wallet} .*${row?.txHash}.*A customer of ours$`, "m"),
  );

  const revoked = await command("revoke", wallet);
  expect(revoked).toMatchObject({ code: 0, stderr: "" });
  const [after] = await readAnchors();
  expect(revoked.stdout).toContain(
    `record ${after?.revokedSeq}, transaction ${after?.revokedTxHash}`,
  );
  expect((await command("list")).stdout).toMatch(new RegExp(`^revoked +${wallet}`, "m"));
  const records = await service.database.db.select().from(ledgerRecords);
  expect(records.map(({ type }) => type)).toEqual(["anchor", "anchor-revoked"]);
});

test("refuses a request in one sentence and changes nothing", async () => {
  const { wallet: unverified } = await service.agent();
  const { code, stdout, stderr } = await command("add", unverified, "--reason", "A customer");
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^The agent of 0x.* has not verified its wallet.*\.\n$/);
  expect(await readAnchors()).toEqual([]);
});

test("every invalid request is refused with its reason", async () => {
  const core = { ...service.runtime.core, db: service.database.db };
  const now = new Date();
  const add = (wallet: string, until: Date | null = null) =>
    addAnchor(core, { wallet, until, reason: null, now });
  const { wallet: unverified } = await service.agent();
  const unknown = privateKeyToAccount(generatePrivateKey()).address;
  await add(wallet, new Date(now.getTime() + DAY_MS));
  const past = new Date("2020-01-01");
  await expect(add(wallet)).rejects.toThrow("is already an anchor");
  await expect(add(unverified)).rejects.toThrow("has not verified its wallet");
  await expect(add(unknown)).rejects.toThrow("No agent is registered");
  await expect(add(unverified, past)).rejects.toThrow("has not verified its wallet");
  await expect(revokeAnchors(core, { wallet: unverified, now })).rejects.toThrow(
    "is not an anchor",
  );
  expect(await readAnchors()).toHaveLength(1);
  const { wallet: other } = await service.agent({ proven: true });
  await expect(add(other, past)).rejects.toThrow("2020-01-01T00:00:00.000Z is in the past");
});

test("only one of two concurrent additions succeeds", async () => {
  const add = () => command("add", wallet, "--reason", "A customer");
  const both = await Promise.all([add(), add()]);
  expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
  expect(await readAnchors()).toHaveLength(1);
});

test("prints the usage for a mistyped command", async () => {
  const { code, stdout, stderr } = await command("add");
  expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(/^Usage: npm run anchors/)]);
});

test("explains in one sentence that no service or database is available", async () => {
  const folder = mkdtempSync(join(tmpdir(), "standing-anchors-"));
  const noService = await runInProcess(runAnchors, ["list"], { DATA_DIR: folder });
  const noDatabase = await runInProcess(runAnchors, ["list"], {
    DATABASE_URL: "postgres://a:hidden@127.0.0.1:9/b",
  });
  rmSync(folder, { recursive: true });
  expect([noService.code, noService.stderr]).toEqual([
    2,
    expect.stringMatching(/^No service runs on .*npm start.*\.\n$/),
  ]);
  expect([noDatabase.code, noDatabase.stderr]).toEqual([
    2,
    expect.stringMatching(/^The database cannot be used: .*ECONNREFUSED.*\.\n$/),
  ]);
  expect(noDatabase.stderr).not.toContain("hidden");
});
