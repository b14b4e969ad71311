import type { APIRequestContext, Page } from "playwright/test";

/** Identifiers of wallet code that survive minification. */
export const WALLET_CODE =
  /wagmi|walletconnect|eip6963|eth_requestAccounts|eth_sendTransaction|personal_sign|wallet_switchEthereumChain/i;
/** Methods of wallets, which only the wallet libraries call. */
export const WALLET_METHODS =
  /eth_requestAccounts|eth_sendTransaction|personal_sign|wallet_switchEthereumChain/;
/** Limit of an owner page, without the wallet libraries. */
export const ACCOUNT_BUDGET_BYTES = 180_000;
/** Up to 0.1 counts as good. On a busy machine, a line may move by a pixel or two. */
export const MAX_LAYOUT_SHIFT = 0.01;

/** What a browser counts for the headers of a response, in bytes. */
const HEADER_BYTES = 300;

/** Makes the page load everything again, as on a first visit. */
export async function disableCache(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("Network.setCacheDisabled", { cacheDisabled: true });
}

/** Returns the cumulative layout shift since the page loaded, rounded to a thousandth. */
export function readLayoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const observer = new PerformanceObserver((list) => sum(list.getEntries()));
        let total = 0;
        const sum = (entries: PerformanceEntryList) => {
          for (const entry of entries)
            total += (entry as PerformanceEntry & { value: number }).value;
        };
        observer.observe({ type: "layout-shift", buffered: true });
        // Buffered entries arrive in a task of their own.
        requestAnimationFrame(() =>
          setTimeout(() => {
            sum(observer.takeRecords());
            resolve(Math.round(total * 1000) / 1000);
          }),
        );
      }),
  );
}

interface Scripts {
  /** Transferred bytes, compressed, including headers. */
  bytes: number;
  /** Concatenated sources. */
  source: string;
}

/** Sources by URL, which names their content. */
const sources = new Map<string, Promise<string>>();

/** Opens a page on a wide screen, and returns its scripts once nothing loads any more. */
export async function openWithScripts(
  page: Page,
  request: APIRequestContext,
  url: string,
): Promise<Scripts> {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(url, { waitUntil: "networkidle" });
  const sizes = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .filter(({ name }) => new URL(name).pathname.endsWith(".js"))
      .map((entry) => [entry.name, (entry as PerformanceResourceTiming).encodedBodySize] as const),
  );
  const scripts = new Map(sizes);
  for (const script of scripts.keys()) {
    if (!sources.has(script)) {
      sources.set(
        script,
        request.get(script).then((response) => response.text()),
      );
    }
  }
  const loaded = await Promise.all([...scripts.keys()].map((script) => sources.get(script)));
  return {
    bytes: [...scripts.values()].reduce((sum, bytes) => sum + bytes + HEADER_BYTES, 0),
    source: loaded.join("\n"),
  };
}
