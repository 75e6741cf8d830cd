/** Pictures of what is drawn, for people to look at: tests make them where TOOLGATE_SHOTS is set. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { root } from "../../src/cli/settings.ts";

const folder = join(root, "node_modules/.cache/toolgate/screenshots");

/** In both schemes. The whole page, unless told. */
export async function shoot(page: Page, name: string, { fullPage = true } = {}): Promise<void> {
  if (!process.env.TOOLGATE_SHOTS) return;
  await mkdir(folder, { recursive: true });
  const window = page.viewportSize();
  // A window as tall as the page, so that what sticks to its edges stands where it ends.
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  if (window && fullPage) await page.setViewportSize({ width: window.width, height: Math.max(height, window.height) });
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  if (window) await page.setViewportSize(window);
}
