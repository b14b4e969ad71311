import type { BrowserContext } from "playwright/test";

/** One end of a socket. */
interface Peer {
  send(text: string): void;
}

interface Rpc {
  id: number;
  method?: string;
  params?: Record<string, unknown>;
}

/**
 * Minimal WalletConnect relay: forwards messages published under a topic to its other subscribers,
 * current and future. Payloads are end-to-end encrypted.
 */
export class Relay {
  #subscribers = new Map<string, Set<Peer>>();
  #messages: { topic: string; message: string; tag: number; from: Peer }[] = [];
  #ids = 0;

  /** Connects a peer and returns the function that receives its messages. */
  attach(peer: Peer): (text: string) => void {
    return (text) => {
      const { id, method, params = {} } = JSON.parse(text) as Rpc;
      // Messages without a method are acknowledgements.
      if (method)
        peer.send(
          JSON.stringify({ id, jsonrpc: "2.0", result: this.#handle(peer, method, params) }),
        );
    };
  }

  #handle(peer: Peer, method: string, params: Record<string, unknown>): unknown {
    const text = (name: string) => String(params[name]);
    switch (method) {
      case "irn_subscribe":
        this.#subscribe(peer, text("topic"));
        return text("topic");
      case "irn_batchSubscribe":
        for (const topic of params.topics as string[]) this.#subscribe(peer, topic);
        return params.topics;
      case "irn_batchFetchMessages":
        return { messages: [], hasMore: false };
      case "irn_publish":
        this.#publish(peer, text("topic"), text("message"), Number(params.tag));
        return true;
      case "wc_proposeSession":
        this.#subscribe(peer, text("pairingTopic"));
        this.#publish(peer, text("pairingTopic"), text("sessionProposal"), 1100);
        return true;
      case "wc_approveSession":
        this.#subscribe(peer, text("sessionTopic"));
        this.#publish(peer, text("pairingTopic"), text("sessionProposalResponse"), 1101);
        this.#publish(peer, text("sessionTopic"), text("sessionSettlementRequest"), 1102);
        return true;
      default:
        return true;
    }
  }

  #subscribe(peer: Peer, topic: string): void {
    const subscribers = this.#subscribers.get(topic) ?? new Set();
    this.#subscribers.set(topic, subscribers.add(peer));
    for (const sent of this.#messages) {
      if (sent.topic === topic && sent.from !== peer) this.#deliver(peer, sent);
    }
  }

  #publish(from: Peer, topic: string, message: string, tag: number): void {
    this.#messages.push({ topic, message, tag, from });
    for (const peer of this.#subscribers.get(topic) ?? []) {
      if (peer !== from) this.#deliver(peer, { topic, message, tag });
    }
  }

  #deliver(peer: Peer, data: { topic: string; message: string; tag: number }): void {
    const { topic, message, tag } = data;
    const params = { id: topic, data: { topic, message, tag, publishedAt: Date.now() } };
    this.#ids += 1;
    peer.send(
      JSON.stringify({ id: this.#ids, jsonrpc: "2.0", method: "irn_subscription", params }),
    );
  }
}

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
