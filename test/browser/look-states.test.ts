/** How the inbox looks in the states that it is in for a moment; pictures go to node_modules/.cache/toolgate/screenshots. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tooSmall, violations } from "./accessibility.ts";
import { hasChromium, type OpenPage, phone } from "./chromium.ts";
import { pressApprove } from "./press-approve.ts";
import { approval, gnorm, mail, outline } from "./sample-approvals.ts";
import { shoot } from "./shots.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  if (hasChromium) stage = await openStage();
});
afterAll(async () => stage?.close());

async function inOrder({ page, complaints }: OpenPage, name: string): Promise<void> {
  await shoot(page, name);
  expect(await violations(page), name).toEqual([]);
  expect(await tooSmall(page), name).toEqual([]);
  expect(complaints).toEqual([]);
}

describe.skipIf(!hasChromium).each([
  ["phone", { ...phone, viewport: { width: 360, height: 740 } }],
  ["desktop", { viewport: { width: 1440, height: 900 }, locale: "en-GB" }],
] as const)("on a %s", (device, options) => {
  test("before the list is there", async () => {
    const opened = await stage.enter(options, (fake) => {
      fake.lists = "late";
    });
    await opened.page.locator(".skeleton").waitFor();
    await inOrder(opened, `${device}-state-skeleton`);
  });

  test("while an answer is under way, and when it failed", async () => {
    const opened = await stage.enter(options, ({ approvals }) => {
      for (const one of [mail(), outline()]) approvals.set(one.id, one);
    });
    const { page, fake } = opened;
    const card = page.getByRole("article", { name: /Ricoeur/ });
    const reply = fake.hold();
    await pressApprove(card);
    await card.getByRole("button", { name: "Sending" }).waitFor();
    await inOrder(opened, `${device}-state-sending`);
    fake.next = { status: 503, body: { error: { message: "the objects cannot be reached", code: "x" } } };
    reply();
    await card.getByRole("alert").waitFor();
    await inOrder(opened, `${device}-state-failed`);
    await card.getByRole("button", { name: "Deny" }).click();
    const replyToDeny = fake.hold();
    await card.getByRole("button", { name: "Deny" }).click();
    await card.getByRole("button", { name: "Sending" }).waitFor();
    await inOrder(opened, `${device}-state-sending-deny`);
    replyToDeny();
  });

  test("without a network, and after a call's time is up", async () => {
    const brief = gnorm();
    const opened = await stage.enter(options, ({ approvals }) => {
      for (const one of [brief, mail()]) approvals.set(one.id, one);
    });
    const { page, fake } = opened;
    await page.getByText("Live", { exact: true }).waitFor();
    fake.tell({ ...brief, status: "expired" });
    await page.getByText("Nobody answered in time").waitFor();
    await inOrder(opened, `${device}-state-expired`);
    await page.context().setOffline(true);
    await page.getByText("Offline — trying again").waitFor();
    await inOrder(opened, `${device}-state-offline`);
  });

  test("for an operator", async () => {
    const opened = await stage.enter(options, (fake) => {
      const foreign = { ...mail(), user: "eve" };
      for (const one of [foreign, approval({ tool: "edit_note", user: "bob" })]) fake.approvals.set(one.id, one);
      fake.me = { ...fake.me, role: "admin", sees_tenant: true };
    });
    const { page, fake } = opened;
    await page.getByRole("button", { name: "Show 2 calls" }).waitFor();
    await inOrder(opened, `${device}-state-operator-own`);
    await page.getByLabel("Everybody's").check();
    await page.getByRole("heading", { name: "2 calls wait for others" }).waitFor();
    fake.tell({ ...outline(), user: "ada" });
    await page.getByRole("heading", { name: "3 calls wait, 1 of them for you" }).waitFor();
    await inOrder(opened, `${device}-state-operator-all`);
  });

  test("with a card that is longer than the screen", async () => {
    const opened = await stage.enter(
      { ...options, viewport: { ...options.viewport, height: 560 } },
      ({ approvals }) => {
        const one = outline();
        approvals.set(one.id, one);
      },
    );
    await opened.page.getByRole("article").waitFor();
    await shoot(opened.page, `${device}-state-long-top`, { fullPage: false });
    await opened.page.locator(".question").scrollIntoViewIfNeeded();
    await shoot(opened.page, `${device}-state-long-end`, { fullPage: false });
  });
});
