/** What a browser tells of the form that a signed link's page posts, and of one that another page posts there. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callPage } from "../../src/http/approve/call-page.ts";
import { pageHeaders } from "../../src/http/approve/page-style.ts";
import { isOwnForm } from "../../src/http/approve/read-form.ts";
import { askedAt, sample } from "../http/approve/sample.ts";
import { hasChromium, launch } from "./chromium.ts";

interface Posted {
  readonly path: string;
  readonly headers: Headers;
}

describe.skipIf(!hasChromium)("the form of a link", () => {
  const posted: Posted[] = [];
  const servers: Server[] = [];
  let browser: Browser;
  let gateway: string;
  let elsewhere: string;

  /** @returns its origin. */
  async function serve(page: string, headers: Readonly<Record<string, string>>): Promise<string> {
    const server = createServer((request, response) => {
      const told = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
      if (request.method === "POST") posted.push({ path: request.url ?? "", headers: new Headers(told) });
      response.writeHead(200, headers).end(page);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    servers.push(server);
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** As a browser without fetch metadata would send it, Safari before 16.4. */
  const old = ({ headers }: Posted): Headers => {
    const fewer = new Headers(headers);
    for (const name of [...fewer.keys()]) if (name.startsWith("sec-fetch-")) fewer.delete(name);
    return fewer;
  };

  async function press(address: string): Promise<Posted> {
    const page = await (await browser.newContext()).newPage();
    await page.goto(address);
    const before = posted.length;
    await page.locator("button").last().click();
    await expect.poll(() => posted.length).toBe(before + 1);
    return posted.at(-1) as Posted;
  }

  beforeAll(async () => {
    browser = await launch();
    const page = await callPage(sample({}), { tenant: "acme", user: "ada" }, askedAt, "en");
    gateway = await serve(String(page), pageHeaders);
    const forged = `<form method="post" action="${gateway}/approve/token"><button name="action" value="approve">x</button></form>`;
    elsewhere = await serve(forged, { "content-type": "text/html", "referrer-policy": "no-referrer" });
  });
  afterAll(async () => {
    await browser.close();
    for (const server of servers) server.close();
  });

  test("is known as the page's own by new browsers and by old ones, and no header holds the link", async () => {
    const form = await press(`${gateway}/approve/token`);
    expect(form.path).toBe("/approve/token");
    expect(isOwnForm(form.headers, [gateway])).toBe(true);
    expect(isOwnForm(old(form), [gateway])).toBe(true);
    expect(JSON.stringify([...form.headers])).not.toContain("token");
  });

  test("stays within the narrowest phone, whatever a model and its tools are called", async () => {
    const long = "n".repeat(80);
    const disclosed = { tool: long, template: `Use ${long.repeat(4)}.`, destination: long, undo: long, more: long };
    const whose = { tenant: long, user: long };
    const args = JSON.stringify({ [long]: long.repeat(30), [`${long}2`]: [long] });
    const html = await callPage(sample({ tool: long, arguments: args }, disclosed), whose, askedAt, "en");
    const page = await browser.newPage({ viewport: { width: 320, height: 640 } });
    await page.setContent(String(html));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await page.close();
  });

  test("is another page's by both, however that page hides itself", async () => {
    const form = await press(elsewhere);
    expect(form.headers.get("origin")).toBe("null");
    expect(isOwnForm(form.headers, [gateway])).toBe(false);
    expect(isOwnForm(old(form), [gateway])).toBe(false);
  });
});
