import type { Config } from "wagmi";
import { getConnection, switchChain, watchConnection } from "wagmi/actions";
import type { Network } from "./network";

/** A request that the connected wallet can't fulfil; the message is for its owner. */
export class WalletError extends Error {
  /** Same shape as an API problem, so that it is displayed alike. */
  readonly data: { code: string; detail: string };
  constructor(detail: string) {
    super(detail);
    this.data = { code: "wallet-error", detail };
  }
}

type Connection = ReturnType<typeof getConnection>;

/** Returns the connection, once the wallet of an earlier visit has answered. */
function awaitConnection(config: Config): Connection | Promise<Connection> {
  const isOpening = ({ status }: Connection) =>
    status === "reconnecting" || status === "connecting";
  const current = getConnection(config);
  if (!isOpening(current)) return current;
  return new Promise((resolve) => {
    const stop = watchConnection(config, {
      onChange(connection) {
        if (isOpening(connection)) return;
        stop();
        resolve(connection);
      },
    });
  });
}

/**
 * Requires that the account `wallet` is connected, and switches it to the registry's chain. Throws
 * wallet errors and `WalletError`.
 */
export async function requireAccount(
  config: Config,
  { chainId }: Network,
  wallet: string,
): Promise<void> {
  const connection = await awaitConnection(config);
  if (connection.status !== "connected") throw new WalletError("Connect your wallet first.");
  if (connection.address !== wallet) {
    throw new WalletError(`Choose the account ${wallet} in your wallet and try again.`);
  }
  if (connection.chainId !== chainId) await switchChain(config, { chainId });
}
