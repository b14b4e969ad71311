import { connect } from "wagmi/actions";
import { getWallets } from "./wallet-config";
import type { WalletSettings } from "./wallet-shell";

/**
 * Connects the wallet with an ID. `onPairingUri` gets WalletConnect's pairing URI. Throws the
 * wallet's errors.
 */
export async function connectWallet(
  settings: WalletSettings,
  id: string,
  onPairingUri: (uri: string) => void,
): Promise<void> {
  // Without reconnecting, which could connect a wallet that is still asking its owner.
  const config = getWallets(settings);
  const connector = config.connectors.find((one) => one.id === id);
  if (!connector) throw Object.assign(new Error(id), { name: "ConnectorNotFoundError" });
  if (connector.uid === config.state.current) return;
  const onMessage = ({ type, data }: { type: string; data?: unknown }) => {
    if (type === "display_uri" && typeof data === "string") onPairingUri(data);
  };
  connector.emitter.on("message", onMessage);
  try {
    await connect(config, { connector });
  } finally {
    connector.emitter.off("message", onMessage);
  }
}
