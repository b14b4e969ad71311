import { walletSchema } from "@/server/lib/wallet";

/** Parses the addresses in a URL: at most `most` different ones; anything else is dropped. */
export function parseWallets(text: string, most: number): string[] {
  const parts = text.slice(0, 500).split(/,|%2C/i);
  const wallets = parts.flatMap((part) => walletSchema.safeParse(part).data ?? []);
  return [...new Set(wallets)].slice(0, most);
}
