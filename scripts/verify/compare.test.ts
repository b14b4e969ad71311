import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import type { SigningChain } from "@/server/explorer/compare-agreements";
import { groupLedger } from "@/server/reputation/score/group-ledger";
import { compare, openServiceClient } from "./compare";

const WALLETS = ["0x0000000000000000000000000000000000000001", "0xMissing"];

test("reports scores that the response lacks", async () => {
  const server = createServer((request, response) => {
    const page = { content: [], totalElements: 0, totalPages: 0 };
    const answer = request.url?.endsWith("/bulk") ? [] : page;
    response.setHeader("Content-Type", "application/json").end(JSON.stringify(answer));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const comparison = await compare(
    openServiceClient(`http://127.0.0.1:${port}`),
    groupLedger([]),
    // Never asked: there are no outcomes.
    {} as SigningChain,
    WALLETS,
  );
  server.close();
  expect(comparison.differences).toEqual(
    WALLETS.flatMap((wallet) =>
      [`score of ${wallet}`, `check of ${wallet}`].map((subject) => ({
        subject,
        field: "",
        shown: "nothing",
        expected: "a score",
        records: [],
      })),
    ),
  );
  expect(comparison.differingWallets).toEqual(WALLETS);
  expect(comparison.reputations).toEqual([]);
});
