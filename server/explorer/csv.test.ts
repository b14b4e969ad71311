import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { LeaderboardRow } from "./agent-list/schema";
import {
  formatCsv,
  formatOutcomesCsv,
  formatRecordsCsv,
  neutralizeFormulas,
  streamOutcomesCsv,
} from "./csv";
import type { ListedOutcome } from "./schema";

const agent: LeaderboardRow = {
  agentId: "0199f3c2-7b1a-7c3e-9f40-3d0a6c1e5b77",
  name: "Ledger Reader",
  walletAddress: "0x52908400098527886E0F7030069857D2E4169EE7",
  walletVerified: true,
  score: 76.2,
  tier: "TRUSTED",
  totalOutcomes: 12,
  categories: ["legal", "ops"],
  rank: { place: 3, tied: true },
  evidence: "strong",
  risk: { level: "none", flags: [] },
  recommendation: {
    action: "hire",
    label: "Hire up to 100 USDC",
    summary: "Hire up to 100.00 USDC.",
    reasons: [],
    valueUsdc: null,
    limitUsdc: 100,
  },
  successRate: 0.95,
  assessedOutcomes: 20,
  confirmedOutcomes: 20,
  confirmedClients: 4,
  lastActive: "2026-11-20T12:00:00.000Z",
  days: [null, 76.2],
};

const SIGNS = ["=", "+", "-", "@", "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"];

/** Splits a line like a spreadsheet that splits at `separator` and ignores quotes inside cells. */
function splitCarelessly(line: string, separator: string | RegExp): string[] {
  return line.split(separator).map((cell) => cell.replace(/^[\s\p{C}"]+/u, ""));
}

describe("neutralizeFormulas", () => {
  test.each([
    ["=1+1", "'=1+1"],
    [" =1", "' =1"],
    ["\u200B=1", "'\u200B=1"],
    ['"=1', "'\"=1"],
    ["\ttext", "'\ttext"],
    ["\rtext", "'\rtext"],
    ["a;=1", "a;'=1"],
    ["a; =1;+2", "a;' =1;'+2"],
    ['a;"=1', "a;'\"=1"],
    ["a\t@SUM(A1)", "a\t'@SUM(A1)"],
    ["a\n-1", "a\n'-1"],
    ["a\r\n=1", "a\r'\n'=1"],
  ])("turns %j into %j", (text, safe) => {
    expect(neutralizeFormulas(text)).toBe(safe);
  });

  test.each(["plain", "a=1", "well-known", "a; b", "me@example.org", "'=1", "a, -b", ""])(
    "leaves %j as it is",
    (text) => {
      expect(neutralizeFormulas(text)).toBe(text);
    },
  );

  test("leaves no cell that starts like a formula, however the file is split", () => {
    const unit = fc.constantFrom(
      ...SIGNS,
      ";",
      "\t",
      "\n",
      "\r",
      '"',
      "'",
      ",",
      " ",
      "\u200B",
      "a",
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), (name) => {
        const [, ...lines] = formatCsv([{ ...agent, name }]).split(/[\r\n]/);
        for (const line of lines) {
          for (const separator of [";", "\t"]) {
            for (const cell of splitCarelessly(line, separator)) {
              expect(SIGNS).not.toContain(cell.charAt(0));
            }
          }
        }
      }),
    );
  });
});

test("records have a column for each field, and for each part of a party", () => {
  const schema = z.object({
    id: z.string(),
    client: z.object({ walletAddress: z.string(), name: z.string().nullable() }),
    value: z.number(),
    isRefunded: z.boolean(),
    until: z.string().nullable(),
  });
  const client = { walletAddress: "0xab", name: "=1+1" };
  expect(
    formatRecordsCsv(schema, [{ id: "a", client, value: 1.5, isRefunded: false, until: null }]),
  ).toBe(
    `"id","clientWalletAddress","clientName","value","isRefunded","until"\r\n"a","0xab","'=1+1",1.5,"false",\r\n`,
  );
});

test("a file has a header and a line for each agent", () => {
  const categoryFigures = {
    outcomes: 2,
    successRate: 0.5,
    assessedOutcomes: 2,
    confirmedOutcomes: 2,
    confirmedClients: 1,
    lastDay: "2026-11-02",
  };
  expect(
    formatCsv([
      { ...agent, name: '=HYPERLINK("http://example.org");=1' },
      { ...agent, rank: null, successRate: null, score: 0, categoryScore: 71.5, categoryFigures },
    ]).split("\r\n"),
  ).toEqual([
    '"place","tied","name","walletAddress","walletVerified","score","categoryScore","evidence","risk","recommendation","successRate","tier","totalOutcomes","confirmedClients","lastActive","simulated","categories","categorySuccessRate","categoryOutcomes","categoryConfirmedClients","categoryLastDay"',
    `3,"true","'=HYPERLINK(""http://example.org"");'=1","0x52908400098527886E0F7030069857D2E4169EE7","true",76.2,,"strong","none","Hire up to 100 USDC",0.95,"TRUSTED",12,4,"2026-11-20T12:00:00.000Z","false","legal ops",,,,`,
    `,,"Ledger Reader","0x52908400098527886E0F7030069857D2E4169EE7","true",0,71.5,"strong","none","Hire up to 100 USDC",,"TRUSTED",12,4,"2026-11-20T12:00:00.000Z","false","legal ops",0.5,2,1,"2026-11-02"`,
    "",
  ]);
});

const [own, other] = [agent.walletAddress, "0x8617E340B3D01FA5F11F306F4090FD50E238070D"] as const;
const outcome: ListedOutcome = {
  outcomeId: "3f2b8c1e-6a54-4d0e-9b1f-2c7f5d9a8e10",
  status: "EVALUATING",
  contractorAgentAddress: own,
  requesterAgentAddress: other,
  taskCategory: "ops",
  title: null,
  valueUsdc: 12.5,
  paidUsdc: 0,
  submittedBy: { role: "contractor", walletAddress: own, walletVerified: true },
  agreed: false,
  disputeScope: "work",
  submittedAt: "2026-11-21T11:59:40.000Z",
  taskHash: `0x${"1f".repeat(32)}`,
  deliverableHash: `0x${"8c".repeat(32)}`,
  backing: "claimed",
};

test("all pages of outcomes follow one header, each outcome once", async () => {
  // Between the two requests an outcome arrived, which moved the second one to the next page.
  const pages = [
    ["one", "two"],
    ["two", "three"],
  ];
  const csv = streamOutcomesCsv(
    own,
    async (page) => ({
      content: (pages[page] ?? []).map((outcomeId) => ({ ...outcome, outcomeId })),
      totalElements: 4,
      totalPages: 2,
      page,
      size: 2,
    }),
    async () => ({ [other]: "Client" }),
  );
  let file = "";
  for await (const part of csv) file += part;
  const lines = file.trim().split("\r\n");
  expect(lines.map((line) => line.split(",")[0])).toEqual([
    '"outcomeId"',
    '"one"',
    '"two"',
    '"three"',
  ]);
  expect(lines[3]).toContain('"Client"');
});

test("outcomes name the wallet's role and the other party, without formulas", () => {
  const swapped = { ...outcome, contractorAgentAddress: other, requesterAgentAddress: own };
  const csv = formatOutcomesCsv([outcome, swapped], own, { [other]: "=1+1" });
  const [header = "", ...lines] = csv.trim().split("\r\n");
  const columns = header.replaceAll('"', "").split(",");
  const read = (line: string, column: string) => line.split(",")[columns.indexOf(column)];
  for (const [line, role] of [
    [lines[0], "contractor"],
    [lines[1], "requester"],
  ] as const) {
    expect(read(line ?? "", "role")).toBe(`"${role}"`);
    expect(read(line ?? "", "otherWallet")).toBe(`"${other}"`);
    expect(read(line ?? "", "otherName")).toBe(`"'=1+1"`);
    expect(read(line ?? "", "valueUsdc")).toBe("12.5");
    expect(read(line ?? "", "verdict")).toBe("");
  }
});
