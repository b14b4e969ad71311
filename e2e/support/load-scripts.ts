import type { Browser } from "@playwright/test";

export interface Scripts {
  /** Transferred bytes, compressed, including headers. */
  bytes: number;
  /** Concatenated sources. */
  source: string;
}

/** Loads a page with an empty cache, without interaction, and returns its scripts. */
export async function loadScripts(browser: Browser, url: string): Promise<Scripts> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    const wire = await context.newCDPSession(page);
    await wire.send("Network.enable");
    const urls = new Map<string, string>();
    const received = new Map<string, number>();
    wire.on("Network.responseReceived", ({ requestId, type, response }) => {
      const isScript = type === "Script" || response.mimeType.endsWith("javascript");
      if (isScript) urls.set(requestId, response.url);
    });
    wire.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      received.set(requestId, encodedDataLength);
    });
    await page.goto(url, { waitUntil: "networkidle" });
    const bytes = [...urls.keys()].reduce((sum, id) => sum + (received.get(id) ?? 0), 0);
    const sources: string[] = [];
    for (const one of new Set(urls.values())) {
      sources.push(await (await context.request.get(one)).text());
    }
    return { bytes, source: sources.join("\n") };
  } finally {
    await context.close();
  }
}
