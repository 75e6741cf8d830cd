/** How the pages look and whether everybody can use them; pictures go to node_modules/.cache/toolgate/screenshots. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tooSmall, violations } from "./accessibility.ts";
import { desktop, hasChromium, type OpenPage, openPage, phone } from "./chromium.ts";
import { open } from "./navigate.ts";
import { answered, gates, gnorm, grants, mail, outline, reply } from "./sample-approvals.ts";
import { shoot } from "./shots.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  if (hasChromium) stage = await openStage();
});
afterAll(async () => stage?.close());

/** Takes pictures, and finds nothing wrong. */
async function inOrder({ page, complaints, strangers }: OpenPage, name: string): Promise<void> {
  await shoot(page, name);
  expect(await violations(page), name).toEqual([]);
  expect(await tooSmall(page), name).toEqual([]);
  expect({ complaints, strangers }).toEqual({ complaints: [], strangers: [] });
}

const devices = [
  ["phone", phone],
  ["desktop", desktop],
  ["narrow", { ...phone, viewport: { width: 320, height: 640 } }],
] as const;

describe.skipIf(!hasChromium).each(devices)("on a %s", (name, options) => {
  test("what waits, and each way to answer it", async () => {
    const opened = await stage.enter(options, ({ approvals }) => {
      for (const one of [outline(), gnorm(), mail()]) approvals.set(one.id, one);
    });
    const { page } = opened;
    await page.getByRole("heading", { name: "3 calls wait for you" }).waitFor();
    await inOrder(opened, `${name}-waiting`);
    await shoot(page, `${name}-waiting-top`, { fullPage: false });
    await page
      .getByRole("navigation", { name: "What waits" })
      .getByRole("button", { name: /Ricoeur/ })
      .click();
    const note = page.getByRole("article", { name: /Ricoeur/ });
    for (const way of ["Edit", "Always allow", "Deny"]) {
      await note.getByRole("button", { name: way }).click();
      await inOrder(opened, `${name}-${way.split(" ")[0]?.toLowerCase()}`);
      await note.getByRole("button", { name: "Back" }).click();
    }
  });

  test("a value that stands in somebody else's text", async () => {
    const opened = await stage.enter(options, ({ approvals }) => {
      const one = reply();
      approvals.set(one.id, one);
    });
    const box = opened.page.getByRole("checkbox", {
      name: /^Also accept other addresses, names and numbers from this result of read_mail/,
    });
    await box.waitFor();
    expect(await box.isChecked()).toBe(false);
    await inOrder(opened, `${name}-endorse`);
  });

  test("the other pages", async () => {
    const opened = await stage.enter(options, (fake) => {
      for (const one of answered()) fake.approvals.set(one.id, one);
      fake.grants = grants;
      fake.gates = gates;
      fake.me = { ...fake.me, role: "admin", sees_tenant: true };
    });
    const { page } = opened;
    await page.getByRole("heading", { name: "Nothing waits for you." }).waitFor();
    await inOrder(opened, `${name}-empty`);
    await open(page, "History");
    await page.getByText("not to her", { exact: false }).waitFor();
    await inOrder(opened, `${name}-answered`);
    await open(page, "Allowed");
    await page.getByRole("button", { name: "Withdraw create_note" }).waitFor();
    await inOrder(opened, `${name}-allowed`);
    await open(page, "You");
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    await inOrder(opened, `${name}-you`);
  });

  test("signing in", async () => {
    const opened = await openPage(stage.browser, stage.gateway, options);
    await opened.page.goto("/console");
    await opened.page.getByRole("button", { name: "tg-dev-user" }).waitFor();
    await inOrder(opened, `${name}-sign-in`);
  });
});

describe.skipIf(!hasChromium).each([
  ["zh-CN", "2 个调用等待您的答复", "zh"],
  ["ja-JP", "2 件が回答を待っています", "ja"],
])("in %s", (locale, heading, language) => {
  test("the page speaks the browser's language", async () => {
    const opened = await stage.enter({ ...phone, locale }, ({ approvals }) => {
      for (const one of [outline(), gnorm()]) approvals.set(one.id, one);
    });
    await opened.page.getByRole("heading", { name: heading }).waitFor();
    expect(await opened.page.evaluate(() => document.documentElement.lang)).toBe(language);
    await inOrder(opened, `phone-${language}`);
  });
});
