import type { CreateConnectorFn } from "wagmi";
import { baseAccount } from "wagmi/connectors/baseAccount";
import { walletConnect } from "wagmi/connectors/walletConnect";
import type { FurtherWallets } from "@/server/chain/schema";
import { onceChosen } from "./once-chosen";

/** Returns connectors for configured wallets outside the browser, with telemetry off. */
export function furtherConnectors(configured: FurtherWallets): CreateConnectorFn[] {
  const { walletConnectProjectId: projectId } = configured;
  const connectors: CreateConnectorFn[] = [];
  if (projectId) {
    // We draw the QR code ourselves: WalletConnect's dialog is ten times larger and loads from
    // elsewhere.
    const options = { projectId, showQrModal: false, telemetryEnabled: false };
    connectors.push(onceChosen(walletConnect(options)));
  }
  if (configured.baseAccount) {
    const preference = { telemetry: false };
    connectors.push(onceChosen(baseAccount({ appName: "Standing", preference })));
  }
  return connectors;
}
