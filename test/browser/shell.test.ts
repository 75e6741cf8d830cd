/** What stands around every page: the way from page to page, by keyboard too, and fonts of our own. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildConsole } from "../../src/cli/build/console.ts";
import { tooSmall, violations } from "./accessibility.ts";
import { desktop, hasChromium, phone } from "./chromium.ts";
import { open } from "./navigate.ts";
import { shoot } from "./shots.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  if (hasChromium) stage = await openStage();
});
afterAll(async () => stage?.close());

const tablet = { ...desktop, viewport: { width: 768, height: 1024 } };
const wide = { ...desktop, viewport: { width: 1440, height: 900 } };

test("each page's scripts stay within their budget, by the build itself", async () => {
  const { pages } = await buildConsole();
  expect(pages.map(({ name }) => name)).toContain("main.tsx");
  for (const { name, gzipBytes } of pages) expect(gzipBytes, name).toBeLessThanOrEqual(120 * 1024);
});

test.skipIf(!hasChromium)("a page of the admins says so to others; one that is none says that", async () => {
  const { page } = await stage.enter(phone, undefined, "/console/users");
  await page.getByRole("heading", { name: "This page is for admins; you are signed in as ada." }).waitFor();
  await page.goto("/console/nowhere");
  await page.getByRole("heading", { name: "There is no such page." }).waitFor();
});

describe.skipIf(!hasChromium)("the palette", () => {
  test.each([
    ["phone", phone],
    ["tablet", tablet],
    ["wide", wide],
  ])("is in order on a %s", async (name, options) => {
    const opened = await stage.enter(options, (fake) => {
      fake.me = { ...fake.me, role: "admin", sees_tenant: true };
    });
    const { page, complaints, strangers } = opened;
    await page.getByRole("heading", { name: "Nothing waits for you." }).waitFor();
    await page.getByRole("button", { name: "Go to" }).click();
    await page.getByRole("option", { name: "History" }).waitFor();
    await shoot(page, `${name}-palette`, { fullPage: false });
    expect(await violations(page)).toEqual([]);
    expect(await tooSmall(page)).toEqual([]);
    expect({ complaints, strangers }).toEqual({ complaints: [], strangers: [] });
  });

  test("goes to a page by keys alone, and gives the focus back where nothing is chosen", async () => {
    const { page } = await stage.enter(wide);
    await page.getByRole("heading", { name: "Nothing waits for you." }).waitFor();
    const search = page.getByRole("combobox", { name: "Go to" });
    await page.keyboard.press("Control+k");
    await search.waitFor();
    await page.keyboard.press("Escape");
    await search.waitFor({ state: "hidden" });
    await page.keyboard.press("Control+k");
    // Until it has the focus, keys go to the page.
    const focused = page.locator("input[role=combobox]:focus");
    await focused.waitFor();
    await page.keyboard.type("hist");
    await expect.poll(() => page.getByRole("option").count()).toBe(1);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "History" }).waitFor();
    await expect.poll(() => page.title()).toBe("History · Toolgate");
    await page.keyboard.press("Control+k");
    await focused.waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => page.getByRole("option", { selected: true }).textContent()).toBe("Allowed");
    await page.keyboard.type("zzz");
    await page.getByText("Nothing has that name.").waitFor();
  });
});

describe.skipIf(!hasChromium)("the shell", () => {
  test("draws its letters with fonts of its own", async () => {
    const { page } = await stage.enter(wide);
    await page.getByRole("heading", { name: "Nothing waits for you." }).waitFor();
    const loaded = await page.evaluate(async () => {
      await document.fonts.ready;
      return (
        document.fonts.check("600 28px Inter") && [...document.fonts].map(({ family, status }) => [family, status])
      );
    });
    expect(loaded).toContainEqual(["Inter", "loaded"]);
  });

  test("a phone has the other pages behind `More` for who has too many for the bar, and the bar alone for others", async () => {
    const { page } = await stage.enter(phone, (fake) => {
      fake.me = { ...fake.me, role: "admin", sees_tenant: true };
    });
    // Before the role is known, the bar holds the pages that everybody has.
    await page.getByRole("button", { name: "More" }).waitFor();
    await open(page, "You");
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    const other = await stage.enter(phone);
    await other.page.getByRole("link", { name: "You" }).waitFor();
    expect(await other.page.getByRole("button", { name: "More" }).count()).toBe(0);
  });
});

describe.skipIf(!hasChromium)("a browser that is told of what waits", () => {
  test("has a service worker of the console's own, which says the tool", async () => {
    const { page, complaints } = await stage.enter(desktop, undefined, "/console/you");
    const { origin } = new URL(page.url());
    await page.context().grantPermissions(["notifications"], { origin });
    const key = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]).toString("base64url");
    await page.route("**/console/config.json", (route) => route.fulfill({ json: { push: { key } } }));
    await page.getByRole("checkbox", { name: "Notify me" }).check();
    const scope = await page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
    expect(scope).toBe(`${origin}/console/`);
    const [worker] = page.context().serviceWorkers();
    // Not every headless browser has a place for notifications.
    await worker?.evaluate(() => {
      const { registration } = globalThis as unknown as { registration: Record<string, unknown> };
      registration.showNotification = async (title: string) => {
        Object.assign(globalThis, { shown: title });
      };
    });
    const devtools = await page.context().newCDPSession(page);
    const registered = new Promise<string>((resolve) => {
      devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations: [first] }) => {
        if (first) resolve(first.registrationId);
      });
    });
    await devtools.send("ServiceWorker.enable");
    const data = JSON.stringify({ id: "appr_1", tool: "refund" });
    await devtools.send("ServiceWorker.deliverPushMessage", { origin, registrationId: await registered, data });
    const shown = () => worker?.evaluate(() => (globalThis as { shown?: string }).shown);
    await expect.poll(shown).toBe("refund waits for your answer");
    // Without a profile on disk it subscribes to nothing, and says so.
    expect(complaints.filter((text) => !text.includes("incognito"))).toEqual([]);
  });
});
