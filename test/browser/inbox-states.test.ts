/** What the inbox shows between the moments: answers under way, lost connections, calls that expire, and other people's calls. */
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApprovalView } from "../../src/api-views/approval-views.ts";
import { desktop, hasChromium, phone } from "./chromium.ts";
import type { FakeGateway } from "./fake-gateway.ts";
import { pressApprove, readToTheEnd } from "./press-approve.ts";
import { approval, argument, gnorm, mail, outline } from "./sample-approvals.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  if (hasChromium) stage = await openStage();
});
afterAll(async () => stage?.close());

const enterWith = (all: readonly ApprovalView[], options = phone, prepare?: (fake: FakeGateway) => void) =>
  stage.enter(options, (fake) => {
    for (const one of all) fake.approvals.set(one.id, one);
    prepare?.(fake);
  });

const button = (card: Locator, name: string) => card.getByRole("button", { name });
const live = (page: Page) => page.getByText("Live", { exact: true }).waitFor();
const offline = (page: Page) => page.getByText("Offline — trying again").waitFor();
const refused = (message: string) => ({ status: 503, body: { error: { message, code: "x" } } });

describe.skipIf(!hasChromium)("an answer that is under way", () => {
  test("shows so at once, takes no second press, and stands as before when it fails", async () => {
    const { page, fake } = await enterWith([outline()]);
    const card = page.getByRole("article");
    const reply = fake.hold();
    await pressApprove(card);
    await button(card, "Sending").waitFor();
    expect(await card.getAttribute("aria-busy")).toBe("true");
    expect(await card.evaluate((one) => one.classList.contains("sending"))).toBe(true);
    for (const name of ["Deny", "Sending", "Edit", "Always allow"]) {
      expect(await button(card, name).getAttribute("aria-disabled"), name).toBe("true");
      await button(card, name).dispatchEvent("click");
    }
    expect(await button(card, "Sending").count()).toBe(1);
    fake.next = refused("the objects cannot be reached");
    reply();
    await card.getByRole("alert").filter({ hasText: "the objects cannot be reached" }).waitFor();
    expect(await card.getAttribute("aria-busy")).toBe("false");
    expect(await button(card, "Deny").getAttribute("aria-disabled")).toBe("false");
    expect(fake.answers).toEqual([]);
    await button(card, "Approve").click();
    await card.waitFor({ state: "detached" });
    expect(fake.answers.map(({ body }) => body)).toEqual([{ action: "approve" }]);
  });

  test("shows so in a panel, and by keyboard", async () => {
    const { page, fake } = await enterWith([mail()], desktop);
    const card = page.getByRole("article");
    await expect.poll(() => button(card, "Approve").getAttribute("aria-disabled")).toBe("false");
    const reply = fake.hold();
    await card.focus();
    await page.keyboard.press("d");
    await page.keyboard.type("Not now.");
    await page.keyboard.press("Enter");
    await button(card, "Sending").waitFor();
    await expect.poll(() => page.locator(".announcer").textContent()).toContain("Sending your answer for send_mail.");
    await page.keyboard.press("Enter");
    await button(card, "Back").dispatchEvent("click");
    expect(await card.getByLabel("Why not?").inputValue()).toBe("Not now.");
    reply();
    await card.waitFor({ state: "detached" });
    expect(fake.answers.map(({ body }) => body)).toEqual([{ action: "deny", reason: "Not now." }]);
  });
});

describe.skipIf(!hasChromium)("on a phone, a card that is longer than the screen", () => {
  test("has its buttons in sight; the first press of approve goes to what is not read yet", async () => {
    const { page, fake } = await enterWith([outline()], { ...phone, viewport: { width: 360, height: 560 } });
    const card = page.getByRole("article");
    await card.locator(".unread").waitFor();
    await expect.poll(() => button(card, "Approve").getAttribute("aria-disabled")).toBe("false");
    const seen = (part: Locator) =>
      part.evaluate((one) => {
        const nav = document.querySelector(".nav")?.getBoundingClientRect().top ?? 0;
        const { top, bottom } = one.getBoundingClientRect();
        return top >= 0 && bottom <= nav;
      });
    expect(await seen(button(card, "Approve"))).toBe(true);
    expect(await seen(button(card, "Deny"))).toBe(true);
    const question = card.locator(".question");
    expect(await seen(question)).toBe(false);
    await button(card, "Approve").click();
    await expect.poll(() => seen(question)).toBe(true);
    await expect.poll(() => card.locator(".unread").count()).toBe(0);
    expect(fake.answers).toEqual([]);
    await button(card, "Approve").click();
    await card.waitFor({ state: "detached" });
    expect(fake.answers).toHaveLength(1);
  });
});

describe.skipIf(!hasChromium)("a call with a value that is not in view", () => {
  const log = "line\n".repeat(60);
  const long = () =>
    approval({ tool: "append_log", details: { arguments: [argument("log", "line…")] }, arguments: { log } });

  test("is opened, then read to its question, then approved, and shows that the answer is under way", async () => {
    const { page, fake } = await enterWith([long()], { ...phone, viewport: { width: 360, height: 560 } });
    const card = page.getByRole("article");
    await card.locator(".unread").waitFor();
    await button(card, "Show everything").click();
    await button(card, "Approve").click();
    await expect.poll(() => card.locator(".unread").count()).toBe(0);
    expect(fake.answers).toEqual([]);
    const reply = fake.hold();
    await button(card, "Approve").click();
    await button(card, "Sending").waitFor();
    reply();
    await card.waitFor({ state: "detached" });
    expect(fake.answers.map(({ body }) => body)).toEqual([{ action: "approve" }]);
  });

  test("asks a person who was at the question to come there again, since what they opened has pushed it away", async () => {
    const hidden = argument("log", "line…", { private: true });
    const one = approval({ tool: "append_log", details: { arguments: [hidden] }, arguments: { log } });
    const { page, fake } = await enterWith([one]);
    const card = page.getByRole("article");
    await readToTheEnd(card);
    await button(card, "Show everything").click();
    await card.locator(".unread").waitFor();
    await button(card, "Approve").click();
    await expect.poll(() => card.locator(".unread").count()).toBe(0);
    expect(fake.answers).toEqual([]);
  });

  test("stays opened when the answer fails", async () => {
    const { page, fake } = await enterWith([long()]);
    const card = page.getByRole("article");
    await button(card, "Show everything").click();
    fake.next = refused("no");
    await pressApprove(card);
    await card.getByRole("alert").waitFor();
    expect(await button(card, "Show everything").count()).toBe(0);
    expect(await button(card, "Approve").count()).toBe(1);
  });

  test("can still be read when its time is up, and not be answered", async () => {
    const one = long();
    const { page, fake } = await enterWith([one]);
    const card = page.getByRole("article");
    await live(page);
    fake.tell({ ...one, status: "expired" });
    await card.getByText("Nobody answered in time").waitFor();
    expect(await card.getByRole("button").allTextContents()).toEqual(["Show all 300 characters", "Dismiss"]);
  });
});

describe.skipIf(!hasChromium)("the connection", () => {
  test("is shown as lost when the device says so, and comes back by itself", async () => {
    const { page } = await enterWith([outline()]);
    await live(page);
    await page.context().setOffline(true);
    await offline(page);
    await page.context().setOffline(false);
    await live(page);
    expect(await page.getByRole("article").count()).toBe(1);
  });

  test("counts as lost where nothing comes for longer than a heartbeat takes", async () => {
    const { page, fake } = await enterWith([]);
    await page.clock.install();
    await page.reload();
    await live(page);
    fake.lists = false;
    await page.clock.fastForward(20_000);
    await live(page);
    await page.clock.fastForward(10_000);
    await offline(page);
    fake.lists = true;
    await page.clock.fastForward(60_000);
    await live(page);
  });

  test("leaves no stream open whose list cannot be read", async () => {
    const { page, fake } = await enterWith([], phone, (one) => {
      one.lists = false;
    });
    await offline(page);
    await expect.poll(() => fake.opened()).toBeGreaterThan(2);
    await expect.poll(() => fake.open()).toBeLessThan(2);
  });

  test("that fails under an answer leaves a space between the message and the question", async () => {
    for (const options of [phone, desktop]) {
      const { page, fake } = await enterWith([outline()], options);
      const card = page.getByRole("article");
      fake.next = refused("no");
      await pressApprove(card);
      const above = await card.getByRole("alert").boundingBox();
      const below = await card.locator(".question").boundingBox();
      expect((below?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0)).toBeGreaterThanOrEqual(12);
    }
  });
});

describe.skipIf(!hasChromium)("a call whose time is up", () => {
  test("says so in its place until it is dismissed, and is in the history as expired", async () => {
    const [brief, letter] = [gnorm(), mail()];
    const { page, fake } = await enterWith([brief, letter]);
    const card = page.getByRole("article", { name: /gnorm_annotate/ });
    await readToTheEnd(card);
    await live(page);
    await button(card, "Approve").focus();
    // Only by the page's clock: the gateway says nothing yet.
    const soon = { ...brief, expires_at: new Date(Date.now() + 1_000).toISOString() };
    fake.tell(soon);
    await card.getByText("The gateway has not said yet").waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute("data-approval"))).toBe(brief.id);
    fake.tell({ ...soon, status: "expired" });
    await card.getByText("Nobody answered in time, so the call did not run.").waitFor();
    await card.getByText("Expired", { exact: true }).waitFor();
    await page.getByRole("heading", { name: "One call waits for you" }).waitFor();
    expect(await card.getByRole("button").allTextContents()).toEqual(["Dismiss"]);
    await button(card, "Dismiss").click();
    await card.waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("data-approval"))).toBe(letter.id);
    await page.getByRole("link", { name: "History" }).click();
    const row = page.getByRole("listitem").filter({ hasText: "gnorm_annotate" });
    expect(await row.locator(".badge").textContent()).toBe("expired");
    expect(await row.textContent()).toContain("Nobody answered in time");
  });

  test("that somebody answered while the page had no connection, goes", async () => {
    const brief = approval({ tool: "brief" });
    const { page, fake } = await enterWith([brief]);
    const card = page.getByRole("article");
    await live(page);
    fake.tell({ ...brief, expires_at: new Date(Date.now() + 1_000).toISOString() });
    await card.getByText("The gateway has not said yet").waitFor();
    fake.approvals.set(brief.id, { ...brief, status: "approved" });
    fake.cut();
    await card.waitFor({ state: "detached" });
  });

  test("that an answer comes too late for says so", async () => {
    const note = outline();
    const { page, fake } = await enterWith([note]);
    const card = page.getByRole("article");
    await card.waitFor();
    fake.approvals.set(note.id, { ...note, status: "expired" });
    fake.next = { status: 409, body: { error: { message: "expired", code: "approval_expired" } } };
    await pressApprove(card);
    await card.getByText("Nobody answered in time").waitFor();
    await expect.poll(() => page.locator(".announcer").textContent()).toBe("Time is up: update_note waits no more.");
  });

  test("is not listed where the page never showed it as waiting", async () => {
    const { page, fake } = await enterWith([approval({ tool: "old", status: "expired" }, -60)]);
    await live(page);
    fake.tell(approval({ tool: "older", status: "expired" }, -60));
    fake.tell(mail());
    await page.getByRole("article", { name: /lindqvist/ }).waitFor();
    expect(await page.getByRole("article").count()).toBe(1);
  });
});

describe.skipIf(!hasChromium)("an operator", () => {
  const operator =
    (approves_for_others = false) =>
    (fake: FakeGateway) => {
      fake.me = { ...fake.me, role: "admin", sees_tenant: true, approves_for_others };
    };

  test("sees at once that others' calls wait, and goes to them", async () => {
    const [eve, bob] = [{ ...mail(), user: "eve" }, approval({ user: "bob" })];
    const { page, fake } = await enterWith([eve, bob], desktop, operator());
    await page.getByRole("heading", { name: "Nothing waits for you." }).waitFor();
    await page.locator(".switch label").filter({ hasText: "Everybody's2" }).waitFor();
    await page.getByRole("button", { name: "Show 2 calls that wait for others" }).click();
    await page.getByRole("heading", { name: "2 calls wait for others" }).waitFor();
    fake.tell({ ...bob, status: "denied" });
    await page.getByRole("heading", { name: "One call waits for eve" }).waitFor();
    fake.tell({ ...outline(), user: "ada" });
    await page.getByRole("heading", { name: "2 calls wait, 1 of them for you" }).waitFor();
    await page.getByLabel("Mine").check();
    await page.getByRole("heading", { name: "One call waits for you" }).waitFor();
  });

  test("finds the buttons in one line, whichever are there", async () => {
    const own = { ...outline(), user: "ada" };
    const { page } = await enterWith([own, { ...mail(), user: "eve" }], desktop, operator());
    await page.getByLabel("Everybody's").check();
    const deny = page.getByRole("button", { name: "Deny" });
    await expect.poll(() => deny.count()).toBe(2);
    const ends = await page
      .locator(".ask .buttons")
      .evaluateAll((all) => all.map((one) => one.lastElementChild?.getBoundingClientRect().right));
    expect(ends[0]).toBe(ends[1]);
  });

  test("alone has the switch", async () => {
    const { page } = await enterWith([]);
    await page.getByRole("heading", { name: "Nothing waits for you." }).waitFor();
    expect(await page.locator(".switch").count()).toBe(0);
  });
});
