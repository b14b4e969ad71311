import { walletSchema } from "@/server/lib/wallet";
import { MAX_AGENTS } from "./series-style";

/** Parses the addresses in a URL: at most four different ones; anything else is dropped. */
export function parseWallets(text: string): string[] {
  const parts = text.slice(0, 500).split(/,|%2C/i);
  const wallets = parts.flatMap((part) => walletSchema.safeParse(part).data ?? []);
  return [...new Set(wallets)].slice(0, MAX_AGENTS);
}
