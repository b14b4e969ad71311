import type { Browser, BrowserContextOptions, Page } from "playwright/test";

/** Identifiers of wallet code that survive minification. */
export const WALLET_CODE =
  /wagmi|walletconnect|eip6963|eth_requestAccounts|eth_sendTransaction|personal_sign|wallet_switchEthereumChain/i;
/** Methods of wallets, which only the wallet libraries call. */
export const WALLET_METHODS =
  /eth_requestAccounts|eth_sendTransaction|personal_sign|wallet_switchEthereumChain/;
/** Limit of an owner page, without the wallet libraries. */
export const ACCOUNT_BUDGET_BYTES = 180_000;

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

interface OpenedPage {
  page: Page;
  /** Transferred bytes of scripts, compressed, including headers. */
  bytes: number;
  /** Concatenated sources of scripts. */
  source: string;
}

/** Loads a page with an empty cache, without interaction. */
export async function openWithScripts(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    ...options,
  });
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  await devTools.send("Network.enable");
  const urls = new Map<string, string>();
  const received = new Map<string, number>();
  devTools.on("Network.responseReceived", ({ requestId, type, response }) => {
    const isScript = type === "Script" || response.mimeType.endsWith("javascript");
    if (isScript) urls.set(requestId, response.url);
  });
  devTools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    received.set(requestId, encodedDataLength);
  });
  await page.goto(url, { waitUntil: "networkidle" });
  const bytes = [...urls.keys()].reduce((sum, id) => sum + (received.get(id) ?? 0), 0);
  const sources = [...new Set(urls.values())].map(async (script) =>
    (await context.request.get(script)).text(),
  );
  return { page, bytes, source: (await Promise.all(sources)).join("\n") };
}
