/** From page to page as a person goes: by the link, or on a phone, where the bar has no room for all, by `More`. */
import type { Page } from "playwright-core";

export async function open(page: Page, name: string): Promise<void> {
  const link = page.getByRole("link", { name, exact: true });
  if (await link.isVisible()) return link.click();
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("option", { name, exact: true }).click();
}
