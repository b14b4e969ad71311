import type { Logger } from "pino";
import type { Chain } from "@/server/chain/client";
import { isContractRefusal } from "@/server/chain/score-gate";
import { StartupError } from "@/server/lib/errors";
import { isAuthorizedRecorder } from "@/server/settlement/simulate-records";

/** An account with this code has delegated its calls (EIP-7702), and its key still signs. */
const DELEGATION = "0xef0100";

/**
 * Throws `StartupError` if the service could not record verdicts or return stakes: the recorder key
 * has no role, there is no USDC, or the stake account is a contract, whose key cannot send anything
 * (EIP-3607). An unreachable node does not prevent the start, as in `openChain`.
 */
export async function checkAccounts(chain: Chain, log: Logger): Promise<void> {
  const { client, id, recorder, registryAddress, stakeAddress, usdcAddress } = chain;
  try {
    const [isRecorder, usdcCode, stakeCode] = await Promise.all([
      isAuthorizedRecorder(chain).catch((error) => {
        if (isContractRefusal(error)) return false;
        throw error;
      }),
      client.getCode({ address: usdcAddress }),
      client.getCode({ address: stakeAddress }),
    ]);
    if (!isRecorder) {
      throw new StartupError(
        `The registry ${registryAddress} does not let the address of RECORDER_KEY, ${recorder.address}, record: its owner must call setRecorder, or fix the variable.`,
      );
    }
    if (!usdcCode) {
      throw new StartupError(
        `Chain ${id} has no contract at USDC_ADDRESS ${usdcAddress}, so no stake could be returned: fix the variable.`,
      );
    }
    if (stakeCode && !stakeCode.startsWith(DELEGATION)) {
      throw new StartupError(
        `The address of STAKE_KEY, ${stakeAddress}, is a contract, so its key could not return stakes: use the key of an account without code.`,
      );
    }
  } catch (error) {
    if (error instanceof StartupError) throw error;
    log.warn({ err: error }, "could not check the recorder and the stake account: no response");
  }
}
