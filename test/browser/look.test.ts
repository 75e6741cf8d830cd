import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Gateway, startGateway } from "../clients/worker.ts";
import { tooSmall, violations } from "./accessibility.ts";
import { desktop, hasChromium, launch, openPage, phone } from "./chromium.ts";
import { type FakeGateway, fakeGateway } from "./fake-gateway.ts";
import { approval, gnorm, mail, outline } from "./sample-approvals.ts";
import { shoot } from "./shots.ts";

let gateway: Gateway;
let browser: Browser;
let fake: FakeGateway;

beforeAll(async () => {
  if (!hasChromium) return;
  [gateway, browser] = await Promise.all([startGateway(), launch()]);
  fake = await fakeGateway(new URL(gateway.baseURL).origin);
  for (const one of [outline(), gnorm(), mail()]) fake.approvals.set(one.id, one);
});
afterAll(async () => {
  await browser?.close();
  await fake?.close();
  await gateway?.stop();
});

async function signedIn(options: Parameters<typeof openPage>[2], path = "/console/approvals") {
  const opened = await openPage(browser, fake.origin, options);
  await opened.page.goto("/console");
  await opened.page.evaluate(() => sessionStorage.setItem("toolgate.key", "tg_test"));
  await opened.page.goto(path);
  return opened;
}

describe.skipIf(!hasChromium).each([
  ["phone", phone],
  ["desktop", desktop],
  ["narrow", { ...phone, viewport: { width: 320, height: 640 } }],
] as const)("on a %s", (name, options) => {
  test("what waits can be read, reached and touched", async () => {
    const { page, complaints, strangers } = await signedIn(options);
    await page.getByRole("heading", { name: "3 calls wait for you" }).waitFor();
    await shoot(page, `${name}-waiting`);
    await shoot(page, `${name}-waiting-top`, { fullPage: false });
    expect(await violations(page)).toEqual([]);
    expect(await tooSmall(page)).toEqual([]);

    const note = page.getByRole("article", { name: /Ricoeur/ });
    await note.getByRole("button", { name: "Edit" }).click();
    await shoot(page, `${name}-edit`);
    expect(await violations(page)).toEqual([]);
    expect(await tooSmall(page)).toEqual([]);
    await note.getByRole("button", { name: "Back" }).click();
    await note.getByRole("button", { name: "Always allow" }).click();
    await shoot(page, `${name}-grant`);
    expect(await violations(page)).toEqual([]);
    expect(await tooSmall(page)).toEqual([]);
    await note.getByRole("button", { name: "Back" }).click();
    await note.getByRole("button", { name: "Deny" }).click();
    await shoot(page, `${name}-deny`);
    expect(await tooSmall(page)).toEqual([]);
    expect({ complaints, strangers }).toEqual({ complaints: [], strangers: [] });
  });
});

void approval;
