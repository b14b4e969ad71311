import axe from "axe-core";
import { expect, type Page } from "playwright/test";

declare global {
  interface Window {
    /** Evaluated in the page before it is used. */
    axe: typeof axe;
  }
}

const MIN_FIELD_CONTRAST = 3;

interface View {
  width: number;
  theme: "light" | "dark";
}

/** Each width and each theme once: layout depends on the width alone, and colors on the theme. */
const VIEWS: readonly View[] = [
  { width: 1440, theme: "light" },
  { width: 390, theme: "dark" },
];
const ALL_VIEWS: readonly View[] = [
  ...VIEWS,
  { width: 1440, theme: "dark" },
  { width: 390, theme: "light" },
];

/**
 * Expects no horizontal overflow, no axe violations and visible borders of fields, on a wide screen in
 * the light theme and on a phone in the dark one. On a phone, targets have at least 24 px and fields
 * at least 16 px text. Measures the contrast of one text of each style.
 */
export async function expectAccessiblePage(page: Page): Promise<void> {
  await expectAccessibleViews(page, VIEWS, (view) => expectTextContrast(page, view));
}

/** Like `expectAccessiblePage`, with the contrast of every text, and each width in both themes. */
export async function expectAccessiblePageInAllViews(page: Page): Promise<void> {
  await expectAccessibleViews(page, ALL_VIEWS, (view) =>
    expectNoViolations(page, view, { runOnly: ["color-contrast"] }),
  );
}

async function expectAccessibleViews(
  page: Page,
  views: readonly View[],
  expectContrast: (view: View) => Promise<void>,
): Promise<void> {
  // After a client-side navigation the title is set after the heading.
  await expect(page).toHaveTitle(/\S/);
  await page.evaluate(`"axe" in window || (() => { ${axe.source} })()`);
  for (const view of views) {
    const isPhone = view.width < 768;
    await page.setViewportSize({ width: view.width, height: 900 });
    await page.emulateMedia({ colorScheme: view.theme });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, `pixels of overflow at ${view.width}`).toBeLessThanOrEqual(0);
    await expectNoViolations(page, view, {
      rules: { "color-contrast": { enabled: false }, "target-size": { enabled: isPhone } },
    });
    await expectContrast(view);
    for (const { html, fontSize, contrast } of await page.evaluate(inspectFields)) {
      if (isPhone) expect(fontSize, `text size of ${html}`).toBeGreaterThanOrEqual(16);
      expect(contrast, `contrast of the border of ${html}`).toBeGreaterThanOrEqual(
        MIN_FIELD_CONTRAST,
      );
    }
  }
}

async function expectNoViolations(
  page: Page,
  { width, theme }: View,
  options: axe.RunOptions,
): Promise<void> {
  const found = await page.evaluate(
    async (options) =>
      (await window.axe.run(document, options)).violations.map(
        ({ id, nodes }) => `${id} ${nodes[0]?.html}`,
      ),
    { ...options, resultTypes: ["violations" as const] },
  );
  expect(found, `violations at ${width} px, ${theme}`).toEqual([]);
}

/** Expects enough contrast of one text of each style, as one is as readable as another. */
async function expectTextContrast(page: Page, { width, theme }: View): Promise<void> {
  const found = await page.evaluate(findLowContrast);
  expect(found, `low contrast at ${width} px, ${theme}`).toEqual([]);
}

/**
 * Runs in the page. Returns the texts with too little contrast, of the first one with each
 * combination of color, size, weight and backgrounds: measuring all of them takes axe seconds.
 */
async function findLowContrast(): Promise<string[]> {
  const describeBackground = (element: Element | null): string => {
    if (!element) return "";
    const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
    return `${describeBackground(element.parentElement)} ${backgroundColor} ${backgroundImage} ${opacity}`;
  };
  const byStyle = new Map<string, Element>();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!element?.checkVisibility() || !texts.currentNode.nodeValue?.trim()) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const style = `${color} ${fontSize} ${fontWeight} ${describeBackground(element)}`;
    if (!byStyle.has(style)) byStyle.set(style, element);
  }
  const { violations } = await window.axe.run(
    { include: [...byStyle.values()] as never },
    { runOnly: ["color-contrast"], resultTypes: ["violations"] },
  );
  return violations.flatMap(({ nodes }) => nodes.map(({ html }) => html));
}

/**
 * Runs in the page. Returns the text size of each visible text field and select, and the contrast
 * (WCAG 2.2) of its border with what is behind the field.
 */
function inspectFields() {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (!canvas) throw new Error("no canvas");
  const computeLuminance = (...layers: string[]) => {
    for (const color of layers) {
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
    }
    const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((byte) => {
      const share = byte / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const listBackgrounds = (element: Element | null): string[] =>
    element
      ? [...listBackgrounds(element.parentElement), getComputedStyle(element).backgroundColor]
      : ["white"];
  const kinds = ["radio", "checkbox", "range", "hidden", "file", "submit"];
  return [...document.querySelectorAll("input, select, textarea")]
    .filter((field) => !kinds.includes(field.getAttribute("type") ?? ""))
    .filter((field) => field.checkVisibility() && field.getBoundingClientRect().width > 1)
    .flatMap((field) => {
      const { borderTopWidth, borderTopColor, fontSize } = getComputedStyle(field);
      // Its frame has the border instead, which also shows the focus.
      if (Number.parseFloat(borderTopWidth) === 0) return [];
      const behind = listBackgrounds(field.parentElement);
      const [border, back] = [
        computeLuminance(...behind, borderTopColor),
        computeLuminance(...behind),
      ];
      const contrast = (Math.max(border, back) + 0.05) / (Math.min(border, back) + 0.05);
      return [
        { html: field.outerHTML.slice(0, 120), fontSize: Number.parseFloat(fontSize), contrast },
      ];
    });
}
