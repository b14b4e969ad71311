import type { inferRouterOutputs } from "@trpc/server";
import type { Api } from "@/server/bootstrap/api";

/** The chain, its contracts and amounts, as returned by `GET /network`. */
export type Network = inferRouterOutputs<Api>["network"]["get"];

/** Cookie in which wagmi stores the connected wallet. */
export const WALLET_COOKIE = "standing_wallet.store";

/** Returns whether the value of `WALLET_COOKIE` names a connected wallet. */
export function hasConnection(cookie: string | undefined): boolean {
  try {
    return Boolean(JSON.parse(cookie ?? "").state.current);
  } catch {
    return false;
  }
}
