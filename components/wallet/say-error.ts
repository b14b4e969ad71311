/** What a refused call of the API carries (RFC 9457). */
interface Problem {
  code: string;
  detail: string;
  errors?: { pointer: string; detail: string }[];
}

const ELSEWHERE =
  "You are signed out. Sign in again in another tab, then repeat this here: nothing you typed is lost.";
const NO_CONNECTION =
  "The service does not answer. Check your connection and try again: nothing you typed is lost.";

const WALLET_WORDS: [fits: (error: Fault) => boolean, words: string][] = [
  [
    ({ name, code }) => code === 4001 || code === 5000 || name === "UserRejectedRequestError",
    "You declined this in your wallet, and nothing happened. Try again whenever you like.",
  ],
  [
    ({ code, name }) => code === -32_002 || name === "ResourceUnavailableRpcError",
    "Your wallet is still waiting for an answer: open it, and answer or close what it asks.",
  ],
  [
    ({ code, name }) => code === 4100 || name === "ConnectorAccountNotFoundError",
    "Your wallet does not let this site use that account. Connect it again and allow it.",
  ],
  [
    ({ name, code, message }) =>
      code === 4900 ||
      name === "ProviderNotFoundError" ||
      name === "ConnectorNotFoundError" ||
      name === "ConnectorNotConnectedError" ||
      // What Chromium says in the place of an extension that was switched off or updated meanwhile.
      isSaid(message, "extension context invalidated"),
    "The wallet cannot be reached. See that it is switched on and unlocked, reload this page, and connect it again.",
  ],
  [
    ({ message }) => isSaid(message, "popup window was blocked"),
    "Your browser blocked the window of the wallet. Let this page open windows, and try again.",
  ],
  [
    ({ message }) => isSaid(message, "proposal expired"),
    "No wallet app used the code in time. Connect again for a new one.",
  ],
  [
    ({ message }) => isSaid(message, ...RELAY),
    "WalletConnect does not answer. Check your connection and try again.",
  ],
  [
    ({ name }) => name === "ChunkLoadError",
    "A part of this page could not be loaded. Check your connection, reload this page and try again.",
  ],
  [
    ({ name }) => name === "InsufficientFundsError",
    "Your wallet has too little ether on this network to pay for the transaction's gas.",
  ],
  [
    ({ name, code }) =>
      code === 4902 || name === "ChainMismatchError" || name === "SwitchChainError",
    "Your wallet did not change to the right network. Choose it in your wallet, and try again.",
  ],
  [
    ({ name }) => name === "ContractFunctionRevertedError",
    "The transfer would fail on the chain: look whether your wallet has enough USDC.",
  ],
  [
    ({ name }) => name === "WaitForTransactionReceiptTimeoutError",
    "The chain does not show the payment yet. It is kept here: hand it in again in a while.",
  ],
  [
    ({ name }) => name === "HttpRequestError" || name === "TimeoutError",
    "The chain's node does not answer right now. Try again in a moment.",
  ],
];

/** How WalletConnect says that its relay cannot be reached. */
const RELAY = [
  "websocket connection",
  "socket stalled",
  "internet connection",
  "failed to publish",
];

const isSaid = (message: string | undefined, ...words: string[]) =>
  words.some((word) => message?.toLowerCase().includes(word));

interface Fault {
  name?: string;
  message?: string;
  code?: unknown;
  cause?: unknown;
}

/** What went wrong between this page, the wallet and the service, and what to do, as a sentence. */
export function sayError(error: unknown): string {
  const problem = problemOf(error);
  if (problem) return problem.code === "unauthenticated" ? ELSEWHERE : problem.detail;
  if ((error as Fault)?.name === "TRPCClientError") return NO_CONNECTION;
  const chain = causes(error);
  const known = WALLET_WORDS.find(([fits]) => chain.some(fits));
  if (known) return known[1];
  const { shortMessage, message } = (error ?? {}) as { shortMessage?: string; message?: string };
  return `Your wallet answered with an error: ${shortMessage ?? message ?? "no reason given"}`;
}

/** The refusal in an error of the API's client; null where the service did not answer at all. */
export function problemOf(error: unknown): Problem | null {
  const data = (error as { data?: Partial<Problem> } | null)?.data;
  return typeof data?.code === "string" && typeof data.detail === "string"
    ? (data as Problem)
    : null;
}

/** The refused fields of a call of the API: name of the field to what it must be. */
export function fieldErrors(error: unknown): Record<string, string> {
  const errors = problemOf(error)?.errors ?? [];
  return Object.fromEntries(
    errors.map(({ pointer, detail }) => [pointer.split("/")[1] ?? "", `This ${detail}.`]),
  );
}

function causes(error: unknown): Fault[] {
  const found: Fault[] = [];
  for (let at = error; at && typeof at === "object" && found.length < 10; ) {
    found.push(at as Fault);
    at = (at as Fault).cause;
  }
  return found;
}
