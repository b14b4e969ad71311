import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** Expects no horizontal overflow at 1440 and 390 px and no axe violations in both themes. */
export async function expectAccessiblePage(page: Page): Promise<void> {
  // After a client-side navigation the title is set after the heading.
  await expect(page).toHaveTitle(/\S/);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, `pixels of overflow at ${width}`).toBeLessThanOrEqual(0);
  }
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${colorScheme}: ${id} ${nodes[0]?.html}`)).toEqual(
      [],
    );
  }
}
