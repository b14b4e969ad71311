import { zeroAddress } from "viem";
import type { ChainInfo } from "@/server/lib/context";
import { createFieldErrors } from "@/server/lib/to-app-error";

type Addresses = Pick<
  ChainInfo,
  "stakeAddress" | "recorderAddress" | "registryAddress" | "usdcAddress"
>;

/**
 * Throws `invalid-party`, naming `field` of the body, if `wallet` is an address that no agent can
 * have: minted USDC comes from the zero address and returned stakes from the stake account, and
 * neither is a payment for a task.
 */
export function refuseReservedAddress(chain: Addresses, wallet: string, field: string): void {
  const named: Record<string, string> = {
    [zeroAddress]: "the zero address",
    [chain.stakeAddress]: "the stake account",
    [chain.recorderAddress]: "the recorder",
    [chain.registryAddress]: "the registry",
    [chain.usdcAddress]: "the USDC contract",
  };
  const reserved = named[wallet];
  if (reserved === undefined) return;
  const detail = `is ${reserved}, which cannot be a party; name the wallet of an agent`;
  const error = { pointer: `#/${field}`, detail, code: "reserved-address" };
  throw createFieldErrors([error], "invalid-party");
}
