import { Notice } from "@/components/ui/notice";

/** Shows an error of the service or the wallet to screen readers at once; nothing without one. */
export function ErrorNotice({ error, className }: { error: unknown; className?: string }) {
  if (!error) return null;
  return (
    <div className={className}>
      <Notice role="alert">{describeError(error)}</Notice>
    </div>
  );
}

/** Problem details of a failed API call (RFC 9457). */
interface Problem {
  code: string;
  detail: string;
  errors?: { pointer: string; detail: string }[];
}

const SIGNED_OUT =
  "You are signed out. Sign in again in another tab, then try again. Nothing you typed is lost.";
const NO_CONNECTION =
  "The service is not responding. Check your connection and try again. Nothing you typed is lost.";

/** Messages by an error's code, name or message; the first match anywhere in the chain wins. */
const WALLET_MESSAGES: [patterns: (number | string | RegExp)[], message: string][] = [
  [
    [4001, 5000, "UserRejectedRequestError"],
    "You declined this in your wallet. You can try again.",
  ],
  [
    [-32_002, "ResourceUnavailableRpcError"],
    "Your wallet is still waiting for an answer. Open it and approve or reject its request.",
  ],
  [
    [4100, "ConnectorAccountNotFoundError"],
    "Your wallet doesn't let this site use that account. Connect it again and allow access.",
  ],
  [
    [
      4900,
      "ProviderNotFoundError",
      "ConnectorNotFoundError",
      "ConnectorNotConnectedError",
      // Chromium's message for an extension that was disabled or updated.
      /extension context invalidated/i,
    ],
    "The wallet can't be reached. Enable and unlock it, reload this page and connect again.",
  ],
  [
    [/popup window was blocked/i],
    "Your browser blocked the wallet's window. Allow pop-ups for this page and try again.",
  ],
  [[/proposal expired/i], "No wallet app used the code in time. Connect again for a new one."],
  [
    // When WalletConnect's relay is unreachable.
    [/websocket connection|socket stalled|internet connection|failed to publish/i],
    "WalletConnect is not responding. Check your connection and try again.",
  ],
  [
    ["ChunkLoadError"],
    "Part of this page could not be loaded. Check your connection, reload and try again.",
  ],
  [["InsufficientFundsError"], "Your wallet has too little ether on this network for gas."],
  [
    [4902, "ChainMismatchError", "SwitchChainError"],
    "Your wallet didn't switch to the right network. Select it in your wallet and try again.",
  ],
  [
    ["ContractFunctionRevertedError"],
    "This would fail on chain. Check that your wallet has enough USDC, then reload this page.",
  ],
  [
    ["WaitForTransactionReceiptTimeoutError"],
    "The payment isn't on chain yet. It is saved here; submit it again later.",
  ],
  [
    ["HttpRequestError", "TimeoutError"],
    "The chain's node is not responding. Try again in a moment.",
  ],
];

function isMatch({ code, name, message = "" }: Fault, pattern: number | string | RegExp): boolean {
  if (pattern instanceof RegExp) return pattern.test(message);
  return pattern === (typeof pattern === "number" ? code : name);
}

interface Fault {
  name?: string;
  message?: string;
  code?: unknown;
  cause?: unknown;
}

/** Describes an error of the service or the wallet, and how to fix it, for display. */
export function describeError(error: unknown): string {
  const problem = getProblem(error);
  if (problem) return problem.code === "unauthenticated" ? SIGNED_OUT : problem.detail;
  if ((error as Fault)?.name === "TRPCClientError") return NO_CONNECTION;
  const causes = listCauses(error);
  const known = WALLET_MESSAGES.find(([patterns]) =>
    patterns.some((pattern) => causes.some((cause) => isMatch(cause, pattern))),
  );
  if (known) return known[1];
  const { shortMessage, message } = (error ?? {}) as { shortMessage?: string; message?: string };
  return `Your wallet returned an error: ${shortMessage ?? message ?? "no reason given"}`;
}

/** Returns the problem in a tRPC client error; null if the service did not respond. */
export function getProblem(error: unknown): Problem | null {
  const data = (error as { data?: Partial<Problem> } | null)?.data;
  return typeof data?.code === "string" && typeof data.detail === "string"
    ? (data as Problem)
    : null;
}

function listCauses(error: unknown): Fault[] {
  const found: Fault[] = [];
  for (let at = error; at && typeof at === "object" && found.length < 10; ) {
    found.push(at as Fault);
    at = (at as Fault).cause;
  }
  return found;
}
