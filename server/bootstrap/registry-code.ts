import type { Hex } from "viem";
import registry from "@/contracts/VerdictRegistry.json";

/** Returns whether a contract's code is that of the registry of this version. */
export const isRegistryCode = (code: Hex | undefined): boolean =>
  registry.bytecode.includes(code?.slice(2) ?? "-");
