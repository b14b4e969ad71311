import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";

// Each run starts a separate process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), "standing-score-"));
afterAll(() => rmSync(folder, { recursive: true }));

const VECTORS = "server/reputation/vectors.json";
interface Vector {
  name: string;
  wallet: string;
  now: number;
  log: object[];
  expected: { scoreE4: number };
}
const vectors: Vector[] = JSON.parse(readFileSync(VECTORS, "utf8"));
const v4 = vectors.find(({ name }) => name.startsWith("V4")) as Vector;
/** The wallet of the example, as the service writes it. */
const WALLET = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
const v4Log = v4.log.map((record) =>
  JSON.parse(JSON.stringify(record).replaceAll(`"${v4.wallet}"`, `"${WALLET}"`)),
);
const expected = { ...v4.expected, walletAddress: WALLET };

function writeFile(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

function run(command: string, args: string[]): Promise<Run> {
  return new Promise((resolve) => {
    execFile(command, args, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

const score = (...args: string[]) =>
  run(process.execPath, ["--import", "tsx", "scripts/score.ts", ...args]);

test("prints the scores of all worked examples in file order", async () => {
  const { code, stdout } = await run("npm", [
    "run",
    "--silent",
    "score",
    "--",
    "--vectors",
    VECTORS,
  ]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual(vectors.map(({ expected }) => expected));
});

test("accepts a JSON array or JSON Lines, and a time as seconds or ISO date", async () => {
  const array = writeFile("ledger.json", JSON.stringify(v4Log));
  const lines = writeFile("ledger.jsonl", v4Log.map((record) => JSON.stringify(record)).join("\n"));
  const runs = await Promise.all([
    score(array, WALLET, String(v4.now)),
    score(lines, WALLET, "2024-10-04"),
    score(array, WALLET, "2024-10-04T23:59:59+00:00"),
  ]);
  for (const { code, stdout } of runs) {
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(expected);
  }
});

test("accepts any spelling of the wallet, and refuses what is no address", async () => {
  const ledger = writeFile("spelling.json", JSON.stringify(v4Log));
  const hex = WALLET.slice(2);
  const spellings = [`0x${hex.toLowerCase()}`, `0x${hex.toUpperCase()}`, `0X${hex}`];
  const runs = await Promise.all(spellings.map((wallet) => score(ledger, wallet, String(v4.now))));
  for (const { stdout } of runs) expect(JSON.parse(stdout)).toEqual(expected);
  for (const wallet of [hex, `${WALLET}0`, "agent.eth"]) {
    const { code, stdout, stderr } = await score(ledger, wallet);
    expect([code, stdout, stderr]).toEqual([
      2,
      "",
      `${wallet} is not an address: 0x and 40 hexadecimal characters.\n`,
    ]);
  }
});

test("scores for today by default, so that old evidence weighs less", async () => {
  const { code, stdout } = await score(writeFile("old.json", JSON.stringify(v4Log)), WALLET);
  expect(code).toBe(0);
  const { scoreE4, totalOutcomes } = JSON.parse(stdout);
  expect(totalOutcomes).toBe(12);
  expect(scoreE4).toBeLessThan(v4.expected.scoreE4);
});

test("explains invalid input in one sentence", async () => {
  const good = writeFile("good.json", "[]");
  const bad = writeFile(
    "bad.jsonl",
    '{"type":"takeover","wallet":"A","at":1}\n{"type":"takeover"}',
  );
  const [empty, option, time, missing, malformed] = await Promise.all([
    score(),
    score("--vektors", "x"),
    score(good, WALLET, "yesterday"),
    score(join(folder, "missing.json"), WALLET),
    score(bad, WALLET),
  ]);
  expect([empty.code, empty.stderr]).toEqual([2, expect.stringMatching(/^Usage: .*\n$/)]);
  const unknown = expect.stringMatching(/^Unknown option '--vektors'\.\nUsage: .*\n$/);
  expect([option.code, option.stderr]).toEqual([2, unknown]);
  expect([time.code, time.stderr]).toEqual([2, expect.stringMatching(/^NOW must be .*\n$/)]);
  expect([missing.code, missing.stderr]).toEqual([
    1,
    `Cannot read ${join(folder, "missing.json")} (ENOENT).\n`,
  ]);
  expect(malformed.code).toBe(1);
  expect(malformed.stderr).toMatch(/bad\.jsonl, line 2: wallet: .*\n$/);
  expect(malformed.stderr.split("\n")).toHaveLength(2);
});
