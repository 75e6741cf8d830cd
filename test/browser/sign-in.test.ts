import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Gateway, startGateway } from "../clients/support/worker.ts";
import { hasChromium, launch, openPage, phone } from "./chromium.ts";

let gateway: Gateway;
let browser: Awaited<ReturnType<typeof launch>>;
beforeAll(async () => {
  if (hasChromium) [gateway, browser] = await Promise.all([startGateway(), launch()]);
});
afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

const newPage = () => openPage(browser, new URL(gateway.baseURL).origin, phone);
const inside = (page: Page) => page.getByRole("heading", { name: "Nothing waits for you." }).waitFor();
const stored = (page: Page) =>
  page.evaluate(() => [sessionStorage.getItem("toolgate.key"), localStorage.getItem("toolgate.key")]);

async function enter(page: Page, key: string): Promise<void> {
  await page.getByLabel("Key or token").fill(key);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

describe.skipIf(!hasChromium)("with a key", () => {
  test("for this tab, until signed out", async () => {
    const { page } = await newPage();
    const key = await gateway.key();
    await page.goto("/console");
    await enter(page, `  Bearer ${key} `);
    await inside(page);
    expect(new URL(page.url()).pathname).toBe("/console/approvals");
    expect(await stored(page)).toEqual([key, null]);
    await page.reload();
    await inside(page);
    await page.getByRole("link", { name: "You" }).click();
    await page.getByText("ada", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await stored(page)).toEqual([null, null]);
  });

  test.each([
    ["de-DE", "Anmelden", "de", "Das ist kein Schlüssel: Ein Schlüssel hat keine Leerzeichen."],
    ["ko-KR", "로그인", "ko", "키가 아닙니다. 키에는 공백이 없습니다."],
    ["pt-BR", "Sign in", "en", "That is not a key: a key has no spaces."],
  ])("in the languages that questions are asked in: %s", async (locale, title, language, noKey) => {
    const { page } = await openPage(browser, new URL(gateway.baseURL).origin, { ...phone, locale });
    await page.goto("/console");
    await page.getByRole("heading", { name: title }).waitFor();
    expect(await page.locator("main").getAttribute("lang")).toBe(language);
    await page.locator("#key").fill("two words");
    await page.getByRole("button", { name: title, exact: true }).click();
    await page.getByText(noKey).waitFor();
  });

  test("for as long as the page stands, where the browser keeps nothing for it", async () => {
    const { page } = await newPage();
    await page.addInitScript(() => {
      for (const name of ["sessionStorage", "localStorage"]) {
        Object.defineProperty(window, name, {
          get: () => {
            throw new DOMException("site data is blocked", "SecurityError");
          },
        });
      }
    });
    await page.goto("/console");
    await enter(page, await gateway.key());
    await inside(page);
  });

  test("on this device, where the person wishes it", async () => {
    const { page } = await newPage();
    const key = await gateway.key();
    await page.goto("/console");
    await page.getByLabel("Stay signed in on this device").check();
    await enter(page, key);
    await inside(page);
    expect(await stored(page)).toEqual([null, key]);
    const other = await page.context().newPage();
    await other.goto("/console/approvals");
    await inside(other);
    // Signed out of in one tab, it is in none.
    await other.getByRole("link", { name: "You" }).click();
    await other.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await stored(page)).toEqual([null, null]);
  });

  test("that the gateway does not take", async () => {
    const { page } = await newPage();
    await page.goto("/console");
    await enter(page, "tg_nobody_knows_this_one");
    await page.getByRole("alert").filter({ hasText: "not accepted" }).waitFor();
    expect(await stored(page)).toEqual([null, null]);
  });

  test("of development, by one touch", async () => {
    const { page } = await newPage();
    await page.goto("/console");
    await page.getByRole("button", { name: "tg-dev-user" }).click();
    await inside(page);
  });
});

describe.skipIf(!hasChromium)("at a provider", () => {
  /** The gateway's ends of a sign-in; that they hold is tested where the gateway is. */
  async function withProvider(page: Page, key: string, stateOf = (state: string) => state) {
    const bodies: Record<string, string>[] = [];
    await page.route("**/console/config.json", (route) =>
      route.fulfill({ json: { development: false, tokens: true, sign_in: { name: "Example" } } }),
    );
    await page.route("**/console/sign-in", (route) => {
      const body = route.request().postDataJSON() as Record<string, string>;
      bodies.push(body);
      const url = `/console/signed-in?code=abc&state=${encodeURIComponent(stateOf(body.state ?? ""))}`;
      return route.fulfill({ json: { url } });
    });
    await page.route("**/console/token", (route) => {
      bodies.push(route.request().postDataJSON() as Record<string, string>);
      return route.fulfill({ json: { token: key, expires_in: 600 } });
    });
    return bodies;
  }

  test("goes there and back, bound to this tab", async () => {
    const { page } = await newPage();
    const bodies = await withProvider(page, await gateway.key());
    await page.goto("/console");
    await page.getByRole("button", { name: "Sign in with Example" }).click();
    await inside(page);
    const [begun, ended] = bodies;
    expect(begun).toEqual({ state: expect.any(String), nonce: expect.any(String), challenge: expect.any(String) });
    const { verifier = "", ...rest } = ended ?? {};
    expect(rest).toEqual({ state: begun?.state, nonce: begun?.nonce, query: `code=abc&state=${begun?.state}` });
    const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
    expect(Buffer.from(hash).toString("base64url")).toBe(begun?.challenge);
    expect(page.url()).not.toContain("code=");
    // What bound it is gone: the same address counts for nothing.
    await page.evaluate(() => sessionStorage.removeItem("toolgate.key"));
    await page.goto(`/console/signed-in?code=abc&state=${begun?.state}`);
    await page.getByRole("alert").waitFor();
    expect(bodies).toHaveLength(2);
  });

  test("takes no answer that it did not ask for", async () => {
    const { page } = await newPage();
    const bodies = await withProvider(page, await gateway.key(), () => "of-somebody-else");
    await page.goto("/console");
    await page.getByRole("button", { name: "Sign in with Example" }).click();
    await page.getByRole("alert").waitFor();
    expect(bodies).toHaveLength(1);
    await page.getByRole("link", { name: "Sign in again" }).click();
    await page.getByRole("button", { name: "Sign in with Example" }).waitFor();
  });
});
