import type { BrowserContext } from "@playwright/test";
import type { Relay } from "./relay";

const VERIFY = /^https:\/\/verify\.walletconnect\.org\//;
const RELAY = /^wss:\/\/relay\.walletconnect\.org\//;

/** Mocks WalletConnect's hosts for a browser context, so that nothing leaves the machine. */
export async function mockWalletConnect(context: BrowserContext, relay: Relay): Promise<void> {
  await context.routeWebSocket(RELAY, (socket) => {
    const receive = relay.attach({ send: (text) => socket.send(text) });
    socket.onMessage((text) => receive(String(text)));
  });
  await context.route(VERIFY, (route) =>
    route.fulfill({ contentType: "text/html", body: `<script>(${attest})()</script>` }),
  );
}

/** Runs in the verification frame and attests the embedding page. */
function attest(): void {
  const id = new URLSearchParams(location.search).get("id");
  const attestation = ["{}", JSON.stringify({ id }), "-"].map(btoa).join(".");
  parent.postMessage(JSON.stringify({ type: "verify_attestation", attestation }), "*");
}
