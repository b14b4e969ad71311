import type { CreateConnectorFn } from "wagmi";
import { baseAccount } from "wagmi/connectors/baseAccount";
import { walletConnect } from "wagmi/connectors/walletConnect";
import type { FurtherWallets } from "@/server/chain/schema";
import { onceChosen } from "./once-chosen";

/** The configured ways to connect a wallet that is not in this browser; they tell nobody of it. */
export function furtherConnectors(configured: FurtherWallets): CreateConnectorFn[] {
  const { walletConnectProjectId: projectId } = configured;
  const connectors: CreateConnectorFn[] = [];
  if (projectId) {
    // We draw the code ourselves: its own dialog is ten times the rest, and fetches from elsewhere.
    const options = { projectId, showQrModal: false, telemetryEnabled: false };
    connectors.push(onceChosen(walletConnect(options)));
  }
  if (configured.baseAccount) {
    const preference = { telemetry: false };
    connectors.push(onceChosen(baseAccount({ appName: "Standing", preference })));
  }
  return connectors;
}
