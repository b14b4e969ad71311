import type { Dispute } from "@/server/disputes/schema";
import type { ShownRecords } from "@/server/explorer/compare-shown";
import type { OutcomesPage } from "@/server/explorer/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import type { Reputation } from "@/server/reputation/schema";

const PAGE_SIZE = 100;
const MAX_WAIT_MS = 120_000;

/** Reads what the public API shows of a wallet. Waits while its rate limit is reached. */
export async function readShownRecords(
  origin: string,
  wallet: string,
): Promise<ShownRecords & { reputation: Reputation }> {
  const api = `${origin}/api/v1`;
  const reputation = await read<Reputation>(`${api}/reputation/${wallet}`);
  const outcomes: PublicOutcome[] = [];
  for (let page = 0, pages = 1; page < pages; page++) {
    const query = `role=contractor&size=${PAGE_SIZE}&page=${page}`;
    const found = await read<OutcomesPage>(`${api}/agents/${wallet}/outcomes?${query}`);
    outcomes.push(...found.content);
    pages = found.totalPages;
  }
  const checked = await read<ShownRecords["checked"]>(`${api}/agents/${wallet}/check`);
  const disputes = new Map<string, Dispute>();
  for (const { outcomeId, disputeId } of outcomes) {
    if (disputeId) disputes.set(outcomeId, await read(`${api}/disputes/${disputeId}`));
  }
  return { reputation, checked, outcomes, disputes };
}

async function read<T>(url: string): Promise<T> {
  for (;;) {
    const response = await fetch(url, { cache: "no-store" }).catch(() => {
      throw new Error("The service does not respond.");
    });
    if (response.ok) return response.json() as Promise<T>;
    if (response.status !== 429) throw new Error(`The service responded with ${response.status}.`);
    const seconds = Number(response.headers.get("retry-after")) || 1;
    await new Promise((resolve) => setTimeout(resolve, Math.min(seconds * 1_000, MAX_WAIT_MS)));
  }
}

/** Describes why a check failed. `node` is the URL of the chain's node. */
export function describeFailure(error: unknown, node: string): string {
  if (!(error instanceof Error)) return String(error);
  const { host } = new URL(node);
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    // Browsers don't say why a request failed; a node without CORS looks like one that is down.
    if (cause.name === "HttpRequestError" && !("status" in cause && cause.status)) {
      return `${host} can't be reached from this browser. It is down, or it refuses requests from web pages (CORS). Try again, or run the command with another node.`;
    }
    if (cause.name === "TimeoutError") {
      return `${host} did not respond in time. Try again, or run the command with another node.`;
    }
  }
  return "shortMessage" in error ? `${host}: ${error.shortMessage}` : error.message;
}
