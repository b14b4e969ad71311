import { formatAmount, formatCount } from "@/components/ui/format";
import type { PriceToFake } from "@/server/reputation/schema";

/** Lists the parts of the price, the hardest to get first. */
export function listCosts({ anchored, paid, claimed, days }: PriceToFake): string {
  const wallets = paid.wallets + claimed.wallets;
  return [
    ...(anchored.wallets > 0 ? [formatCount(anchored.wallets, "anchored client")] : []),
    `${formatAmount(anchored.usdc + paid.usdc)} USDC`,
    ...(wallets > 0 ? [formatCount(wallets, "wallet")] : []),
    ...(days > 0 ? [formatCount(days, "day")] : []),
  ].join(", ");
}
