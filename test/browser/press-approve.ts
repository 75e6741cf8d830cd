/** Approves as a person does: first comes the question, then the button that answers it. */
import type { Locator } from "playwright-core";
import { expect } from "vitest";

export async function pressApprove(card: Locator): Promise<void> {
  await readToTheEnd(card);
  await card.getByRole("button", { name: "Approve" }).click();
}

/** Until the page has noticed. */
export async function readToTheEnd(card: Locator): Promise<void> {
  await card.locator(".question").evaluate((question) => question.scrollIntoView({ block: "center" }));
  await expect.poll(() => card.locator(".unread").count()).toBe(0);
}
