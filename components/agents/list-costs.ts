import { formatAmount, formatCount } from "@/components/ui/format";
import type { PriceToFake } from "@/server/reputation/schema";

/** Returns the parts of the price, the hardest to get first. */
export function listCosts({ anchored, paid, claimed, days }: PriceToFake): string[] {
  const wallets = paid.wallets + claimed.wallets;
  return [
    ...(anchored.wallets > 0 ? [`the help of ${formatCount(anchored.wallets, "anchor")}`] : []),
    `${formatAmount(anchored.usdc + paid.usdc)} USDC`,
    ...(wallets > 0 ? [formatCount(wallets, "wallet")] : []),
    ...(days > 0 ? [formatCount(days, "day")] : []),
  ];
}
