import { expect, test } from "vitest";
import { parseWallets } from "./parse-wallets";

const WALLETS = [1, 2, 3, 4, 5].map((n) => `0x${String(n).repeat(40)}`);
const MIXED = "0x52908400098527886E0F7030069857D2E4169EE7";

test("an address in another letter case is the same one, and anything else is dropped", () => {
  expect(parseWallets(`${MIXED},x,,${MIXED.toLowerCase()}%2C${WALLETS[0]}`, 4)).toEqual([
    MIXED,
    WALLETS[0],
  ]);
  expect(parseWallets("", 4)).toEqual([]);
});

test("at most as many addresses as asked for are returned", () => {
  expect(parseWallets(WALLETS.join(","), 4)).toEqual(WALLETS.slice(0, 4));
});
