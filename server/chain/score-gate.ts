import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  parseAbi,
} from "viem";
import type { ChainInfo } from "@/server/lib/context";

/** The part of the ABI of `contracts/ScoreGate.sol` that the service uses. */
const scoreGateAbi = parseAbi([
  "function registry() view returns (address)",
  "function signer() view returns (address)",
]);

type Reader = Pick<ChainInfo["client"], "readContract">;

/**
 * Returns the registry whose statements the contract at `gate` verifies, or null if there is no such
 * contract. Throws if the node is unreachable.
 */
export const readGateRegistry = (client: Reader, gate: Address): Promise<Address | null> =>
  client
    .readContract({ address: gate, abi: scoreGateAbi, functionName: "registry" })
    .catch(returnNullForRefusal);

/** Whether a contract refused a call or has no such function; false if the node is unreachable. */
export function isContractRefusal(error: unknown): boolean {
  const isRefusal = (cause: unknown) =>
    cause instanceof ContractFunctionZeroDataError ||
    cause instanceof ContractFunctionRevertedError;
  return error instanceof BaseError && error.walk(isRefusal) !== null;
}

/** Handles the error of a call: returns null if the contract refused it, and rethrows any other. */
export function returnNullForRefusal(error: unknown): null {
  if (isContractRefusal(error)) return null;
  throw error;
}

/** Returns the account whose statements the contract at `gate` accepts. */
export function readGateSigner(client: Reader, gate: Address): Promise<Address> {
  return client.readContract({ address: gate, abi: scoreGateAbi, functionName: "signer" });
}
