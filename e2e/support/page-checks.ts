import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** What holds for every page: nothing hangs over the edge, and axe finds nothing, light and dark. */
export async function expectSoundPage(page: Page): Promise<void> {
  // After a navigation in the page, its title follows the heading that a journey waits for.
  await expect(page).toHaveTitle(/\S/);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const overhang = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overhang, `pixels over the edge at ${width}`).toBeLessThanOrEqual(0);
  }
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${colorScheme}: ${id} ${nodes[0]?.html}`)).toEqual(
      [],
    );
  }
}
