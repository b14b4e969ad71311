import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "playwright/test";

const MIN_FIELD_CONTRAST = 3;

/**
 * Expects at 1440 and 390 px no horizontal overflow and, in both themes, no axe violations and
 * visible borders of fields. Only colors depend on the theme, so dark is checked for those alone.
 * On a phone, targets have at least 24 px and fields at least 16 px text.
 */
export async function expectAccessiblePage(page: Page): Promise<void> {
  // After a client-side navigation the title is set after the heading.
  await expect(page).toHaveTitle(/\S/);
  // Legacy mode analyzes in the page instead of opening another one; pages have no frames.
  const axe = () => new AxeBuilder({ page }).setLegacyMode();
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, `pixels of overflow at ${width}`).toBeLessThanOrEqual(0);
    await page.emulateMedia({ colorScheme: "light" });
    const isPhone = width < 768;
    const targets = { rules: { "target-size": { enabled: isPhone } } };
    await expectNoViolations(`light ${width}`, axe().options(targets));
    const fields = await page.evaluate(inspectFields);
    for (const { html, fontSize } of isPhone ? fields : []) {
      expect(fontSize, `text size of ${html}`).toBeGreaterThanOrEqual(16);
    }
    await expectVisibleFields(page);
    await page.emulateMedia({ colorScheme: "dark" });
    await expectNoViolations(`dark ${width}`, axe().withRules("color-contrast"));
    await expectVisibleFields(page);
  }
}

async function expectVisibleFields(page: Page): Promise<void> {
  for (const { html, contrast } of await page.evaluate(inspectFields)) {
    expect(contrast, `contrast of the border of ${html}`).toBeGreaterThanOrEqual(
      MIN_FIELD_CONTRAST,
    );
  }
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

async function expectNoViolations(theme: string, axe: AxeBuilder): Promise<void> {
  const { violations } = await axe.analyze();
  expect(violations.map(({ id, nodes }) => `${theme}: ${id} ${nodes[0]?.html}`)).toEqual([]);
}
