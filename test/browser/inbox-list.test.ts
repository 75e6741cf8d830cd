/** From three calls on: a list with one call beside it, and one answer to several. */
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApprovalView } from "../../src/api-views/approval-views.ts";
import { tooSmall, violations } from "./accessibility.ts";
import { desktop, hasChromium, phone } from "./chromium.ts";
import { pressApprove } from "./press-approve.ts";
import { approval, argument, gnorm, mail } from "./sample-approvals.ts";
import { shoot } from "./shots.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  if (hasChromium) stage = await openStage();
});
afterAll(async () => stage?.close());

const refund = (order: string, amount: number, more: Partial<ApprovalView> = {}) =>
  approval({
    tool: "refund",
    question: `Refund \`${amount}\`?`,
    session_id: `desk-${order}`,
    arguments: { order, amount },
    details: { arguments: [argument("order", order), argument("amount", String(amount))] },
    ...more,
  });

const enterWith = (all: readonly ApprovalView[], options = desktop) =>
  stage.enter(options, ({ approvals }) => {
    for (const one of all) approvals.set(one.id, one);
  });

describe.skipIf(!hasChromium)("the list", () => {
  test("names each act with its object, and shows one call beside it, which stays when another comes", async () => {
    const all = [refund("A-1", 12), refund("A-2", 30), refund("A-3", 45)];
    const { page, fake } = await enterWith(all);
    const list = page.getByRole("navigation", { name: "What waits" });
    await list.getByRole("button", { name: /^Refund 30\s*A-2/ }).click();
    const card = page.getByRole("article", { name: "Refund 30?" });
    await card.waitFor();
    // Some seconds of the 24 hours are over.
    expect(await list.locator(".call-row", { hasText: "24 h left" }).count()).toBe(3);
    expect(await card.getByText("24 h left").count()).toBe(1);
    fake.tell(refund("A-4", 99));
    await list.getByRole("button", { name: /^Refund 99/ }).waitFor();
    expect(await page.getByRole("article").count()).toBe(1);
    expect(await page.getByRole("article", { name: "Refund 30?" }).count()).toBe(1);
  });

  test("goes on to the next call after an answer, and stays a list until nothing is left", async () => {
    const [one, two, three] = [refund("A-1", 12), refund("A-2", 30), refund("A-3", 45)];
    const { page, fake } = await enterWith([one, two, three]);
    await page.clock.install();
    const answer = async ({ id }: ApprovalView) => {
      const card = page.locator(`[data-approval="${id}"]`);
      await pressApprove(card);
      await card.waitFor({ state: "detached" });
    };
    await answer(three);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.locator(".call-row").nth(2).waitFor();
    // The call that was meant is there again, under the next press.
    await expect.poll(() => focused(page)).toBe(three.id);
    await page.clock.fastForward(6_000);
    expect(fake.answers).toEqual([]);
    for (const each of [three, two, one]) await answer(each);
    await page.getByRole("heading", { name: "Nothing waits for you." }).waitFor();
    await page.clock.fastForward(6_000);
    // Their times are over at once, so they come in any order.
    await expect.poll(() => fake.answers.map(({ id }) => id).sort()).toEqual([one.id, two.id, three.id].sort());
  });

  test("groups the calls of a conversation, and marks what cannot be taken back", async () => {
    const effects = [{ kind: "final", text: "⚠ This cannot be undone." }] as const;
    const words = "please refund what the bookshop charged twice";
    const grave = refund("A-1", 12, { session_id: "s1", user_words: words });
    const all = [
      { ...grave, details: { ...grave.details, effects } },
      refund("A-2", 30, { session_id: "s1" }),
      refund("A-3", 45),
    ];
    const { page } = await enterWith(all);
    // Each conversation has a heading: what its user wrote, else when it asked. Its id stands behind it.
    const heading = page.getByRole("heading", { name: `You “${words}”` });
    await heading.waitFor();
    expect(await heading.getAttribute("title")).toBe("s1");
    const headings = page.locator(".call-list h2");
    expect(await headings.count()).toBe(2);
    expect(await headings.filter({ hasNotText: words }).textContent()).toMatch(/^You\d.*\d$/);
    expect(await page.locator(".call-list").textContent()).not.toContain("desk-");
    await shoot(page, "desktop-conversations", { fullPage: false });
    expect(await violations(page)).toEqual([]);
    expect(await page.locator(".call-row .risk").count()).toBe(1);
  });

  test("goes by key, and chooses by key", async () => {
    const all = [refund("A-1", 12), refund("A-2", 30), refund("A-3", 45)];
    const { page } = await enterWith(all);
    await page.getByRole("article", { name: "Refund 45?" }).waitFor();
    await page.keyboard.press("j");
    await page.getByRole("article", { name: "Refund 30?" }).waitFor();
    await expect.poll(() => focused(page)).toBe(all[1]?.id);
    await page.keyboard.press("x");
    await page.getByRole("region", { name: "1 call chosen" }).waitFor();
    const row = () => page.evaluate(() => document.activeElement?.id);
    await expect.poll(row).toBe(`row-${all[1]?.id}`);
    await page.keyboard.press("j");
    await expect.poll(row).toBe(`row-${all[0]?.id}`);
    await page.keyboard.press("x");
    await page.getByRole("region", { name: "2 calls chosen" }).waitFor();
  });

  test("answers by key the call that is shown, where nothing has the focus", async () => {
    const all = [refund("A-1", 12), refund("A-2", 30), refund("A-3", 45)];
    const { page, fake } = await enterWith(all);
    await page.getByRole("button", { name: "Deny" }).click({ trial: true });
    await page.locator(".ask:not(.unread)").waitFor();
    await page.keyboard.press("a");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => focused(page)).toBe(all[2]?.id);
    expect(fake.answers).toEqual([]);
  });

  test("keeps the call that somebody edits when it is answered elsewhere, until they move on", async () => {
    const all = [refund("A-1", 12), refund("A-2", 30), refund("A-3", 45, { editable: true })];
    const { page, fake } = await enterWith(all);
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("form", { name: "Edit before it runs" }).waitFor();
    const [, , mine] = all;
    if (!mine) throw new Error("no call");
    const answer = { action: "approve", via: "api", by: "ben", reason: null } as const;
    fake.tell({ ...mine, status: "approved", answer, answered_at: new Date().toISOString() });
    const card = page.getByRole("article", { name: "Refund 45?" });
    await card.getByText(/^Already approved by ben at /).waitFor();
    expect(await page.getByRole("button", { name: /^(Approve|Deny|Refund)$/ }).count()).toBe(0);
    await page.keyboard.press("j");
    await page.getByRole("article", { name: "Refund 30?" }).waitFor();
    expect(await page.locator(".call-row").count()).toBe(2);
  });

  test("says what counts instead of an answer that came too late", async () => {
    const all = [refund("A-1", 12), refund("A-2", 30), refund("A-3", 45)];
    const { page, fake } = await enterWith(all);
    await page.clock.install();
    await page.getByRole("button", { name: "Deny" }).click();
    await page.keyboard.press("Enter");
    await page.locator(".call-row").nth(2).waitFor({ state: "detached" });
    const [, , mine] = all;
    if (!mine) throw new Error("no call");
    const answer = { action: "approve", via: "api", by: "ben", reason: null } as const;
    fake.approvals.set(mine.id, { ...mine, status: "approved", answer, answered_at: new Date().toISOString() });
    fake.next = { status: 409, body: { error: { message: "answered", code: "approval_settled" } } };
    await page.clock.fastForward(6_000);
    const told = page.getByRole("status").filter({ hasText: /Already approved by ben at .*Your no did not count\./ });
    await told.waitFor();
    expect(await page.locator(".call-row").count()).toBe(2);
  });

  test("is a list on a phone; a call covers it, and goes back to it", async () => {
    const words = "please refund both orders";
    const all = [refund("A-1", 12), refund("A-2", 30, { user_words: words }), mail()];
    const { page, fake } = await enterWith(all, phone);
    const row = page.getByRole("button", { name: /^Refund 30/ });
    await row.click();
    await page.getByRole("article", { name: "Refund 30?" }).getByText(words).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await row.isVisible()).toBe(false);
    expect(new URL(page.url()).hash).toBe(`#${all[1]?.id}`);
    const isBack = async () => {
      await row.waitFor();
      expect(await page.getByRole("article").count()).toBe(0);
      await expect.poll(() => row.evaluate((one) => one === document.activeElement)).toBe(true);
      expect(new URL(page.url()).hash).toBe("");
    };
    await page.getByRole("button", { name: "All calls" }).click();
    await isBack();
    // The browser's own button leads to the list as well, and its other one to the call.
    await row.click();
    await page.getByRole("article", { name: "Refund 30?" }).waitFor();
    await page.goBack();
    await isBack();
    await page.goForward();
    await page.getByRole("article", { name: "Refund 30?" }).waitFor();
    await page.reload();
    // A list that has just been filled takes no answer for a moment, a swipe neither.
    await page.locator('article [data-key="d"][aria-disabled="false"]').waitFor();
    await page.goBack();
    await row.waitFor();

    // A short way is a slip; to the left is a no, which can be taken back; to the right opens.
    const line = page.locator(".call-row").filter({ hasText: "Refund 30" });
    await drawAside(line, -40);
    await drawAside(line, -140);
    await row.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await row.waitFor();
    await drawAside(line, 140);
    await page.getByRole("article", { name: "Refund 30?" }).waitFor();
    expect(fake.answers).toEqual([]);
  });
});

const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute("data-approval"));

const drawAside = (line: Locator, by: number): Promise<void> =>
  line.evaluate((element, far) => {
    const { left, top, width } = element.getBoundingClientRect();
    const send = (type: string, clientX: number) =>
      element.dispatchEvent(
        new PointerEvent(type, {
          bubbles: true,
          pointerType: "touch",
          isPrimary: true,
          pointerId: 1,
          clientX,
          clientY: top,
        }),
      );
    // No finger of the browser's own has this id.
    element.setPointerCapture = () => {};
    send("pointerdown", left + width / 2);
    send("pointermove", left + width / 2 + far);
    send("pointerup", left + width / 2 + far);
  }, by);

describe.skipIf(!hasChromium)("one answer to several calls", () => {
  const amounts = async (count: number) => {
    const all = Array.from({ length: count }, (_, at) => refund(`A-${at}`, 10 + at));
    const opened = await enterWith([...all, mail()]);
    await opened.page.getByRole("checkbox", { name: "Choose Refund 10" }).check();
    await opened.page.getByRole("button", { name: "Choose all of this kind" }).click();
    return { ...opened, all };
  };

  test("shows every value before, is sent after five seconds, and can be taken back until then", async () => {
    const { page, fake, all, complaints } = await amounts(4);
    await page.clock.install();
    const chosen = page.getByRole("region", { name: "4 calls chosen" });
    for (const at of [0, 1, 2, 3]) await chosen.getByRole("cell", { name: `A-${at}`, exact: true }).waitFor();
    await shoot(page, "desktop-chosen", { fullPage: false });
    expect(await violations(page)).toEqual([]);
    expect(await tooSmall(page)).toEqual([]);
    await chosen.getByRole("button", { name: "Approve 4 calls" }).click();
    await page.locator(".call-row").nth(1).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await page.locator(".call-row").nth(4).waitFor();
    await page.clock.fastForward(6_000);
    expect(fake.answers).toEqual([]);
    await page.getByRole("checkbox", { name: "Choose Refund 10" }).check();
    await page.getByRole("checkbox", { name: "Choose Refund 11" }).check();
    await page.clock.fastForward(1_000);
    await page.getByRole("button", { name: "Deny 2 calls" }).click();
    expect(fake.answers).toEqual([]);
    await page.clock.fastForward(6_000);
    await expect.poll(() => fake.answers.length).toBe(2);
    const ids = all.slice(0, 2).map(({ id }) => id);
    expect(new Set(fake.answers.map(({ id }) => id))).toEqual(new Set(ids));
    expect(fake.answers.map(({ body }) => body)).toEqual([{ action: "deny" }, { action: "deny" }]);
    expect(complaints).toEqual([]);
  });

  test("offers no common yes where one of them has more to be read or decided", async () => {
    const all = [refund("A-1", 12), refund("A-2", 30), gnorm()];
    const { page } = await enterWith(all);
    await page.getByRole("checkbox", { name: "Choose Refund 12" }).check();
    await page.getByRole("button", { name: "Approve 1 call" }).waitFor();
    await page.getByRole("checkbox", { name: /gnorm/i }).check();
    await page.getByText(/^One of them has more to read/).waitFor();
    expect(await page.getByRole("button", { name: /^Approve/ }).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Deny 2 calls" }).count()).toBe(1);
  });

  test("leaves those in the list that the gateway does not accept", async () => {
    const { page, fake } = await amounts(3);
    await page.clock.install();
    await page.getByRole("button", { name: "Deny 3 calls" }).click();
    await page.locator(".call-row").nth(1).waitFor({ state: "detached" });
    fake.next = { status: 503, body: { error: { message: "the objects cannot be reached", code: "x" } } };
    await page.clock.fastForward(6_000);
    await page.getByRole("status").filter({ hasText: "1 call was not answered; it still waits." }).waitFor();
    expect(fake.answers).toHaveLength(2);
    await page.getByRole("button", { name: /^Refund/ }).waitFor();
  });
});

describe.skipIf(!hasChromium)("a hundred calls", () => {
  test("scroll with no long task", async () => {
    const all = Array.from({ length: 100 }, (_, at) => refund(`A-${at}`, 10 + at));
    const { page } = await enterWith(all);
    await page.locator(".call-row").nth(99).waitFor();
    const frames = await page.evaluate(async () => {
      const list = document.querySelector(".call-list");
      if (!list) return 0;
      let longest = 0;
      let last = performance.now();
      for (let at = 0; at < 60; at++) {
        list.scrollTop += 100;
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        longest = Math.max(longest, now - last);
        last = now;
      }
      return { longest, scrolled: list.scrollTop };
    });
    console.info(`100 calls, 60 frames of scrolling: ${JSON.stringify(frames)}`);
    expect(frames).toMatchObject({ scrolled: expect.any(Number) });
    expect(await page.evaluate(() => document.querySelector(".call-list")?.scrollTop ?? 0)).toBeGreaterThan(1_000);
  });
});
