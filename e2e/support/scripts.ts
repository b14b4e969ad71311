import type { Browser } from "@playwright/test";

export interface Scripts {
  /** What came over the wire for them, compressed, headers included. */
  bytes: number;
  /** Their sources, one after the other. */
  source: string;
}

/** All scripts that a browser with an empty cache loads for a page that it is only shown. */
export async function scriptsOf(browser: Browser, url: string): Promise<Scripts> {
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
