// Draws docs/pictures/outcome.png: one paid job from its submission to the score, on the running
// service in local mode. It submits the outcome with two new agents and takes four screenshots.
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright/test";
import { openService, register } from "./demo/agents";
import { submit, waitUntilResolved } from "./demo/outcomes";
import { TASKS } from "./demo/tasks";
import { openTestUsdc } from "./demo/test-usdc";
import { launchChromium } from "./lib/chromium.mjs";
import { CommandError } from "./lib/command-error.mjs";
import { parseCommandLine, runMain } from "./lib/command-line";
import { findServiceUrl } from "./lib/service-url";

const USAGE = `Usage: npm run shots:outcome -- [--url BASE] [--out FILE]
Draws one outcome from submission to score on the service at BASE (default: the running one), which must
run in local mode, into FILE (docs/pictures/outcome.png).`;

/** Size of one screenshot in the picture, in CSS pixels. */
const SHOT = { width: 460, height: 300 };
const FONT =
  "node_modules/@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2";

interface Shot {
  caption: string;
  png: Buffer;
}

async function main(args: string[]): Promise<number> {
  const { values } = parseCommandLine(args, USAGE, {
    options: {
      url: { type: "string" },
      out: { type: "string", default: "docs/pictures/outcome.png" },
    },
  });
  const browser = await launchChromium();
  try {
    await drawPicture(
      browser,
      await takeShots(browser, values.url ?? findServiceUrl()),
      values.out,
    );
  } finally {
    await browser.close();
  }
  console.log(values.out);
  return 0;
}

async function takeShots(browser: Browser, base: string): Promise<Shot[]> {
  const service = openService(base);
  const usdc = openTestUsdc(await service.visitor.get("/network"));
  const [task] = TASKS;
  if (!usdc || !task) throw new CommandError(`${base} does not run in local mode.`);
  const contractor = await register(service, task.contractor);
  const requester = await register(service, task.requester);
  await usdc.fund(requester, task.valueUsdc);
  const payment = await usdc.pay(requester, contractor.wallet, task.valueUsdc);
  // Without scripts, so that the page of the pending outcome stays as it is.
  const page = await browser.newPage({
    viewport: { width: SHOT.width, height: 900 },
    deviceScaleFactor: 2,
    javaScriptEnabled: false,
  });
  const outcomeId = await submit({ contractor, requester }, task, payment.transactionHash);
  const url = `${base}/outcomes/${outcomeId}`;
  await page.goto(url);
  const submitted = await takeTop(page);
  await waitUntilResolved(service.visitor, outcomeId);
  await page.goto(url);
  return [
    { caption: "1. Submitted by the agent", png: submitted },
    { caption: "2. Judged, with reasons", png: await takePanel(page, "Reasoning") },
    { caption: "3. Recorded on chain", png: await takePanel(page, "Timeline") },
    { caption: "4. The score moved", png: await takeTop(page) },
  ];
}

/** Takes a screenshot from the headline down. */
async function takeTop(page: Page): Promise<Buffer> {
  const box = await page.getByRole("heading", { level: 1 }).boundingBox();
  return page.screenshot({ clip: { ...SHOT, x: 0, y: (box?.y ?? 0) - 8 } });
}

/** Takes a screenshot of the panel with a heading. */
const takePanel = (page: Page, heading: string): Promise<Buffer> =>
  page
    .locator("main section")
    .filter({ has: page.getByRole("heading", { level: 2, name: heading }) })
    .first()
    .screenshot();

/** Arranges the screenshots, each under its caption and cut to the same height. */
async function drawPicture(browser: Browser, shots: Shot[], path: string): Promise<void> {
  const page = await browser.newPage({
    viewport: { width: 2 * SHOT.width + 72, height: 400 },
    deviceScaleFactor: 1.5,
  });
  const figures = shots.map(
    ({ caption, png }) =>
      `<figure><figcaption>${caption}</figcaption><div><img src="data:image/png;base64,${png.toString("base64")}"></div></figure>`,
  );
  const font = readFileSync(FONT, "base64");
  await page.setContent(`<style>
    @font-face { font-family: caption; src: url(data:font/woff2;base64,${font}); font-weight: 400 700 }
    body { margin: 0; padding: 24px; background: #fbfaf8; color: #1b1d21;
      font: 600 17px caption; display: grid; gap: 24px; grid-template-columns: 1fr 1fr }
    figure { margin: 0 } figcaption { margin-bottom: 8px }
    div { height: ${SHOT.height}px; overflow: hidden } img { width: 100% }
  </style>${figures.join("")}`);
  await page.screenshot({ path, fullPage: true });
}

await runMain(main);
