import type { inferRouterOutputs } from "@trpc/server";
import type { Api } from "@/server/api";

/** The chain, its contracts and amounts, as `GET /network` answers them. */
export type Network = inferRouterOutputs<Api>["network"]["get"];

/** The cookie in which wagmi keeps which wallet was connected. */
export const WALLET_COOKIE = "standing_wallet.store";
