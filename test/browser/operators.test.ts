/** The operators' pages over a seeded gateway: `npm run seed` has played some turns of a service desk through it. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { copyFile, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { root } from "../../src/cli/settings.ts";
import { developmentKey } from "../../src/cli/start/local-state.ts";
import { storesIn } from "../../src/cli/start/local-stores.ts";
import { type Gateway, startGateway } from "../clients/support/worker.ts";
import { tooSmall, violations } from "./accessibility.ts";
import { desktop, hasChromium, launch, openPage, phone } from "./chromium.ts";
import { shoot } from "./shots.ts";

const widths: readonly (readonly [string, BrowserContextOptions])[] = [
  ["phone", phone],
  ["tablet", { ...desktop, viewport: { width: 768, height: 1024 } }],
  ["wide", { ...desktop, viewport: { width: 1440, height: 900 } }],
];

let folder: string;
let gateway: Gateway;
let browser: Browser;
beforeAll(async () => {
  if (!hasChromium) return;
  folder = mkdtempSync(join(tmpdir(), "toolgate-seeded-"));
  const env = { ...process.env, TOOLGATE_STATE: folder };
  const { stdout } = await promisify(execFile)(process.execPath, ["src/cli/seed.ts", "--turns", "150"], {
    cwd: root,
    env,
  });
  expect(stdout).toMatch(/1[3-6]\d turns of 20 people/);
  const settings = { AUDIT_KEY: developmentKey(folder, "audit-key") };
  [gateway, browser] = await Promise.all([startGateway({ folder: storesIn(folder), settings }), launch()]);
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** On a busy machine the list of completions closes before it is read: it is opened again by its key. */
async function complete(page: Page, name: string): Promise<void> {
  const option = page.getByRole("option", { name });
  const isThere = () =>
    option.waitFor({ timeout: 2_000 }).then(
      () => true,
      () => false,
    );
  await expect
    .poll(async () => (await isThere()) || (await page.keyboard.press("Control+Space").then(isThere)), {
      timeout: 30_000,
    })
    .toBe(true);
  await option.click();
}

async function enter(path: string, options: BrowserContextOptions) {
  const opened = await openPage(browser, new URL(gateway.baseURL).origin, options);
  await opened.page.addInitScript(() => sessionStorage.setItem("toolgate.key", "tg-dev-admin"));
  await opened.page.goto(path);
  return opened;
}

/** An MCP server with one tool, whose description a test changes. */
async function startCrm() {
  let description = "Find a lead";
  const answers: Readonly<Record<string, () => object>> = {
    initialize: () => ({
      protocolVersion: "2025-06-18",
      capabilities: { tools: {} },
      serverInfo: { name: "crm", version: "1" },
    }),
    "tools/list": () => ({ tools: [{ name: "find_lead", description, inputSchema: { type: "object" } }] }),
  };
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const { id, method = "" }: { readonly id?: number; readonly method?: string } = body ? JSON.parse(body) : {};
    const result = answers[method]?.();
    if (request.method !== "POST") response.writeHead(405).end();
    else if (id === undefined || !result) response.writeHead(id === undefined ? 202 : 404).end();
    else response.setHeader("content-type", "application/json").end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    describe(text: string) {
      description = text;
    },
    stop: () => void server.close(),
  };
}

describe.skipIf(!hasChromium)("each page of the operators", () => {
  const pages = [
    ["overview", "/console/overview", "Refused most"],
    ["sessions", "/console/sessions", "Last turn"],
    ["audit", "/console/audit?kind=decisions&effect=deny", "Refused"],
    ["policy", "/console/policy", "seeded-desk"],
    ["playground", "/console/playground", "Say what you want"],
    ["tools", "/console/tools", "The policy names every tool"],
    ["users", "/console/users", "No key was made yet"],
    ["settings", "/console/settings", "toolgate-demo"],
  ] as const;
  test.each(pages.flatMap((page) => widths.map((width) => [...page, ...width] as const)))(
    "%s at %s is in order (%s, %s)",
    async (name, path, shows, width, options) => {
      const { page, complaints, strangers } = await enter(path, options);
      await page.getByText(shows).first().waitFor();
      await shoot(page, `operators-${name}-${width}`, { fullPage: false });
      expect(await violations(page)).toEqual([]);
      expect(await tooSmall(page)).toEqual([]);
      expect({ complaints, strangers }).toEqual({ complaints: [], strangers: [] });
    },
    30_000,
  );
});

describe.skipIf(!hasChromium)("an operator", () => {
  const tablet = { ...desktop, viewport: { width: 768, height: 1024 } };
  const wide = { ...desktop, viewport: { width: 1440, height: 900 } };

  test("understands a refusal with one click from the overview, and sees that the seal holds", async () => {
    const { page } = await enter("/console/overview", tablet);
    const refusals = page.getByRole("region").or(page.locator("section")).filter({ hasText: "Refused last" });
    await refusals.last().locator("tbody a").first().click();
    const turn = page.locator(".turn.chosen");
    await turn.getByText("Refused").first().waitFor();
    expect(await turn.locator(".decision li").count()).toBeGreaterThan(0);
    expect(await violations(page)).toEqual([]);
    expect(await tooSmall(page)).toEqual([]);
    await page.getByRole("button", { name: "Check the seal" }).click();
    await page.getByText("whole and unaltered").waitFor();
  }, 30_000);

  test("narrows the audit trail, keeps the view, and takes it out as a file", async () => {
    const { page, complaints } = await enter("/console/audit", tablet);
    await page.getByText("Filter", { exact: true }).click();
    await page.getByLabel("Filter by").selectOption("tool");
    await page.getByLabel("Value").fill("refund");
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByRole("link", { name: "Without tool refund" }).waitFor();
    await expect.poll(() => page.locator(".record").count()).toBeGreaterThan(0);
    expect(new Set(await page.locator(".record summary strong").allTextContents())).toEqual(new Set(["refund"]));
    await page.getByText("Saved views").click();
    await page.getByLabel("Name of the view").fill("Refunds");
    await page.getByRole("button", { name: "Save this view" }).click();
    await page.getByRole("button", { name: "Refunds", exact: true }).waitFor();
    for (const [button, begins] of [
      ["CSV", /^at,user,tool,effect,reasons,/],
      ["NDJSON", /^\{"object":"audit\.decision"/],
      ["Parquet", /^PAR1/],
    ] as const) {
      const coming = page.waitForEvent("download");
      await page.getByRole("button", { name: button, exact: true }).click();
      const file = await (await coming).path();
      expect((await readFile(file)).toString("latin1")).toMatch(begins);
    }
    await page.goto("/console/audit");
    await page.getByText("Saved views (1)").click();
    await page.getByRole("button", { name: "Refunds", exact: true }).click();
    await page.getByRole("link", { name: "Without tool refund" }).waitFor();
    expect(complaints).toEqual([]);
  }, 60_000);

  test("chooses a time, and exports what the form shows though nothing was added", async () => {
    const { page, complaints } = await enter("/console/audit", tablet);
    await page.getByText("Filter", { exact: true }).click();
    await page.getByRole("button", { name: "7 days" }).click();
    await page.getByRole("link", { name: /^Without from \d/ }).waitFor();
    await page.getByLabel("Filter by").selectOption("effect");
    await page.getByLabel("Value").selectOption("deny");
    await page.getByRole("link", { name: "Without decision Refused" }).waitFor();
    await page.getByLabel("Filter by").selectOption("to");
    await page.getByLabel("Value").fill("2030-01-01T00:00");
    expect(await violations(page)).toEqual([]);
    expect(await tooSmall(page)).toEqual([]);
    await shoot(page, "tablet-audit-filters", { fullPage: false });
    await page.getByLabel("Filter by").selectOption("tool");
    await page.getByRole("link", { name: /^Without to 1 Jan 2030/ }).waitFor();
    await page.getByLabel("Value").fill("refund");
    const coming = page.waitForEvent("download");
    await page.getByRole("button", { name: "NDJSON", exact: true }).click();
    const lines = (await readFile(await (await coming).path(), "utf8")).trim().split("\n");
    const rows = lines.map((line) => JSON.parse(line) as { readonly tool: string; readonly effect: string });
    expect(new Set(rows.map(({ tool, effect }) => `${tool} ${effect}`))).toEqual(new Set(["refund deny"]));

    await page.goto("/console/audit?from=lately");
    await page.getByRole("alert").getByText("`from` must be milliseconds since the epoch, or ISO 8601").waitFor();
    await shoot(page, "tablet-audit-wrong-time", { fullPage: false });
    expect(complaints.filter((one) => !one.includes("400"))).toEqual([]);
  }, 60_000);

  test("changes the policy: sees who gains what, tries it, puts it in force, and puts the version before in force again", async () => {
    const { page, complaints } = await enter("/console/policy", wide);
    const editor = page.getByRole("textbox", { name: "The policy as JSON" });
    await editor.click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.type('"enforc');
    // The schema's key, as it is completed.
    await complete(page, "enforce");
    await page.keyboard.type(': "obser');
    await complete(page, "observe");
    await page.getByText("This is not JSON yet.").waitFor();
    await page
      .getByText(/^line 2, column 3: , or the closing bracket is expected/)
      .first()
      .waitFor();
    await page.keyboard.type(", // for the first week\n");
    await page.getByText("comments and trailing commas are dropped").waitFor();
    await page.getByText("Who loses what, who gains what").waitFor();
    await page.getByText("enforce").first().waitFor();

    await page.getByRole("button", { name: "Simulate", exact: true }).click();
    await page.getByLabel("The user says").fill("refund 20 for A-1042");
    await page.getByLabel("The model calls, one a line").fill('refund {"order":"A-1042","amount":20}');
    await page.locator("form.stacked button").click();
    await page.getByText("REFUND", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Cases", exact: true }).click();
    const turn = { user: "refund 20 for A-1042", model: [{ text: "…" }] };
    const cases = [
      { name: "a refund", turns: [{ ...turn, expect: { intents: ["REFUND"] } }] },
      { name: "a wrong wish", turns: [{ ...turn, expect: { intents: ["CANCEL"] } }] },
      { name: "a conversation", turns: [turn, turn] },
    ];
    const buffer = Buffer.from(JSON.stringify({ tools: { refund: {} }, cases }));
    const file = { name: "desk.cases.json", mimeType: "application/json", buffer };
    await page.getByLabel("A file of cases").setInputFiles(file);
    await page.getByText(/^1 passed, 1 failed, 1 left to/).waitFor();
    await page.getByText("expected", { exact: false }).filter({ hasText: "CANCEL" }).first().waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await tooSmall(page)).toEqual([]);
    await page.getByRole("button", { name: "Replay", exact: true }).click();
    await page.locator("form.filters button").click();
    await page.getByText("calls judged").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Candidate", exact: true }).click();
    await page.getByText("No candidate is running.").waitFor();
    await page.getByRole("button", { name: "Run the draft as candidate" }).click();
    await page.getByText("0 turns, 0 calls judged since.").waitFor();
    await shoot(page, "wide-candidate", { fullPage: false });
    expect(await violations(page)).toEqual([]);
    expect(await tooSmall(page)).toEqual([]);
    await page.getByRole("button", { name: "End it" }).click();
    await page.getByText("No candidate is running.").waitFor();

    await page.getByRole("button", { name: "Put in force" }).click();
    const summary = page.getByRole("region", { name: "Who loses what, who gains what" });
    await summary.getByText("enforce").first().waitFor();
    await shoot(page, "wide-put-in-force", { fullPage: false });
    expect(await violations(page)).toEqual([]);
    expect(await tooSmall(page)).toEqual([]);
    await summary.getByRole("button", { name: "Not yet" }).click();
    await page.getByRole("button", { name: "Put in force" }).click();
    await summary.getByRole("button", { name: "Put in force now" }).click();
    await page.getByText("This is the policy in force.").waitFor();
    await page.getByRole("button", { name: "Versions", exact: true }).click();
    await expect.poll(() => page.locator(".versions li").count()).toBe(2);
    const before = page.locator(".versions li").nth(1);
    await before.getByRole("button", { name: "Compare with the draft" }).click();
    await page.getByText("unchanged lines").first().waitFor();
    await page.getByRole("button", { name: "Close the comparison" }).click();
    await before.getByRole("button", { name: "Put in force again" }).click();
    await summary.getByText("enforce").first().waitFor();
    expect(await violations(page)).toEqual([]);
    await summary.getByRole("button", { name: "Put in force now" }).click();
    await page.getByText("This is the policy in force.").waitFor();
    await page.getByRole("button", { name: "Versions", exact: true }).click();
    await expect.poll(() => page.locator(".versions li").count()).toBe(3);
    expect(await page.locator(".versions li").first().textContent()).toContain("rolled back");
    expect(complaints).toEqual([]);
  }, 60_000);

  test("keeps a draft over a reload, and over another policy that is put meanwhile: compares them, and puts its own", async () => {
    const { page } = await enter("/console/policy", wide);
    const editor = page.getByRole("textbox", { name: "The policy as JSON" });
    await editor.click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.type('"enforce": "observe",');
    await page.getByText("Who loses what, who gains what").waitFor();
    await page.reload();
    await page.getByText("This is your draft from before.").waitFor();
    await page.getByText("Who loses what, who gains what").waitFor();

    const headers = { authorization: "Bearer tg-dev-admin", "content-type": "application/json" };
    const path = `${new URL(gateway.baseURL).origin}/admin/policies/default`;
    const { document } = (await (await fetch(path, { headers })).json()) as { document: Record<string, unknown> };
    const body = JSON.stringify({ ...document, name: "theirs" });
    expect((await fetch(path, { method: "PUT", headers, body })).status).toBe(200);
    await page.getByRole("button", { name: "Put in force" }).click();
    await page.getByRole("button", { name: "Put in force now" }).click();
    await page.getByText("Another policy was put since you began this draft.").waitFor();
    await page.getByRole("button", { name: "Versions", exact: true }).click();
    await page.getByRole("button", { name: "Compare with theirs" }).click();
    await page.getByText("Who loses what, who gains what").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Put mine over theirs" }).click();
    await page.getByRole("button", { name: "Put in force now" }).click();
    await page.getByText("This is the policy in force.").waitFor();
    const after = (await (await fetch(path, { headers })).json()) as { document: Record<string, unknown> };
    expect(after.document).toMatchObject({ enforce: "observe" });
    expect(after.document.name).not.toBe("theirs");
    // As it was, for the other tests.
    const before = JSON.stringify(document);
    expect((await fetch(path, { method: "PUT", headers, body: before })).status).toBe(200);
  }, 60_000);

  test("tries a conversation, answers its question in place, gives the tool's result, and takes it along as a case", async () => {
    const { page, complaints } = await enter("/console/playground", tablet);
    await expect.poll(() => page.getByLabel("Tools: names").inputValue()).toContain("search_orders");
    await page.getByPlaceholder("Say something").fill("please refund it");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("button", { name: "Approve" }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await tooSmall(page)).toEqual([]);
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByLabel("What refund returns").fill("paid back");
    await page.getByRole("button", { name: "Give the result" }).click();
    await page.getByText(/which returned: .*paid back/).waitFor();
    const coming = page.waitForEvent("download");
    await page.getByRole("link", { name: "Save as case" }).click();
    const cases = join(folder, "playground.cases.json");
    await (await coming).saveAs(cases);
    const policy = join(folder, "playground.json");
    await copyFile(join(root, "src/cli/seed/desk.policy.json"), policy);
    const args = ["src/cli/policy.ts", "test", policy];
    const { stdout: report } = await promisify(execFile)(process.execPath, args, { cwd: root });
    expect(report).toContain("1 passed");

    await page.getByRole("button", { name: "Keep for the policy page" }).click();
    await page.getByText("Conversation", { exact: true }).click();
    await page.getByLabel("User", { exact: true }).fill("visitor");
    await page.getByLabel("Role").selectOption("guest");
    await page.getByText(/a key for this user that ends/).waitFor();
    await page.getByPlaceholder("Say something").fill("please delete the customer");
    await page.getByRole("button", { name: "Send" }).click();
    await page
      .getByText(/delete_customer \(/)
      .or(page.getByText("delete_customer"))
      .first()
      .waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByText("Conversation", { exact: true }).click();
    await page.getByLabel("Tenant").fill("elsewhere");
    await page.keyboard.press("Tab");
    await expect.poll(() => page.getByLabel("Tools: names").inputValue()).toContain("read_file");
    await page.getByPlaceholder("Say something").fill("hello");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("demo model").first().waitFor();
    expect(await page.getByRole("link", { name: "Look at the turn" }).count()).toBe(0);
    await page.goto("/console/sessions?user=visitor");
    await page.locator("tbody").getByText("visitor").first().waitFor();
    await page.goto("/console/sessions?user=nobody");
    await page.getByText("No session of “nobody”").waitFor();
    await page.goto("/console/policy");
    await page.getByRole("button", { name: "Cases", exact: true }).click();
    await page.getByRole("button", { name: "Run the case kept from the playground" }).click();
    await page.getByText("1 passed, 0 failed.").waitFor();
    expect(complaints).toEqual([]);
  }, 60_000);

  test("takes a tool that no policy names into the policy: sees the lines, puts it in force, and is its author", async () => {
    const headers = { authorization: "Bearer tg-dev-user", "content-type": "application/json" };
    const tools = ["lookup_invoice", "send_sms"].map((name) => ({ type: "function", function: { name } }));
    const body = JSON.stringify({ model: "toolgate-demo", messages: [{ role: "user", content: "hello" }], tools });
    expect((await fetch(`${gateway.baseURL}/chat/completions`, { method: "POST", headers, body })).status).toBe(200);
    // The trail is delivered a moment after the turn.
    const seen = async () => {
      const admin = { authorization: "Bearer tg-dev-admin" };
      const listed = await fetch(new URL("/admin/tools/seen", gateway.baseURL), { headers: admin });
      return ((await listed.json()) as { readonly data: readonly unknown[] }).data.length;
    };
    await expect.poll(seen, { timeout: 15_000 }).toBe(2);
    const { page, complaints } = await enter("/console/tools", wide);
    const take = page.getByRole("link", { name: "Take into the policy: send_sms" });
    await take.waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await tooSmall(page)).toEqual([]);
    await take.click();
    await page.getByText("The lines that change").waitFor();
    await page.getByLabel("The lines that change").getByText('"send_sms"').waitFor();
    await page.getByText("unchanged lines").first().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Put in force" }).click();
    await page.getByRole("button", { name: "Put in force now" }).click();
    await page.getByText("This is the policy in force.").waitFor();
    await page.getByText("Off: nothing is kept for this.").waitFor();
    await page.goto("/console/tools");
    await page.getByRole("link", { name: "Take it into the policy" }).waitFor();
    await page.goto("/console/audit?kind=changes&event=policy_put");
    await page.locator(".record summary").filter({ hasText: "dev-admin" }).first().waitFor();
    expect(complaints).toEqual([]);
  }, 60_000);

  test("sees an MCP tool's changed definition beside the accepted one, and accepts it", async () => {
    const server = await startCrm();
    onTestFinished(server.stop);
    const admin = { authorization: "Bearer tg-dev-admin", "content-type": "application/json" };
    const policy = { mcpServers: { crm: { url: server.url, allowPrivate: true } }, unlistedTools: "external" };
    const path = new URL("/admin/policies/default", gateway.baseURL);
    expect((await fetch(path, { method: "PUT", headers: admin, body: JSON.stringify(policy) })).status).toBe(200);
    const { page, complaints } = await enter("/console/tools", wide);
    const box = page.locator(".server").filter({ hasText: "crm" });
    await box.getByRole("button", { name: "Ask again" }).click();
    await box.getByText("find_lead").first().waitFor();
    server.describe("Find a lead, and send it to the archive");
    await box.getByRole("button", { name: "Ask again" }).click();
    await box.locator("mark").filter({ hasText: "send it to the archive" }).waitFor();
    await box.locator("mark").filter({ hasText: '"Find a lead"' }).waitFor();
    await shoot(page, "wide-changed-definition", { fullPage: false });
    expect(await violations(page)).toEqual([]);
    expect(await tooSmall(page)).toEqual([]);
    await box.getByRole("button", { name: "Accept this definition" }).click();
    await box.locator("mark").first().waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
  }, 60_000);

  test("makes a key, sees it once, and ends it with a second press", async () => {
    const { page, complaints } = await enter("/console/users", tablet);
    const form = page.locator("form").filter({ hasText: "Make a key" });
    await form.getByRole("textbox", { name: "User" }).fill("zoe");
    await form.getByLabel("Role").selectOption("user");
    await form.getByLabel("Name").fill("night batch");
    await form.getByRole("button", { name: "Make a key" }).click();
    expect(await page.locator(".note .json").textContent()).toMatch(/^tg_/);
    await page.getByRole("button", { name: "I have it" }).click();
    const row = page.locator(".key-list li").filter({ hasText: "zoe" });
    await row.getByText("user · night batch").waitFor();
    await row.getByText(/^key_\w{26}$/).waitFor();
    await row.getByText(/made by [\w-]+, /).waitFor();
    await row.getByRole("button", { name: "End" }).click();
    await row.getByRole("button", { name: /^Press again: programs that use this key of zoe/ }).click();
    await row.waitFor({ state: "detached" });
    expect(await violations(page)).toEqual([]);

    await page.getByRole("searchbox", { name: "Part of the name" }).fill("AD");
    await page.getByRole("button", { name: "farid", exact: true }).waitFor({ state: "detached" });
    await page.getByLabel("Sort by").selectOption("most sessions");
    await page.getByRole("button", { name: "ada", exact: true }).click();
    await page.reload();
    const person = page.getByRole("heading", { name: "ada" });
    await expect.poll(() => person.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.getByText("Allowed for later calls").waitFor();
    await page.getByRole("button", { name: "Reset this user" }).click();
    await page.getByRole("button", { name: "Press again to reset" }).click();
    await page
      .locator(".note")
      .getByText(/^Done: \d+ conversations? ended/)
      .waitFor();

    await page.getByRole("searchbox", { name: "User" }).fill("zoe");
    await page.getByRole("button", { name: "Look" }).click();
    const erase = page.getByRole("button", { name: "Erase this person" });
    await page.getByLabel("Type zoe to erase them").fill("zo");
    expect(await erase.isDisabled()).toBe(true);
    await page.getByLabel("Type zoe to erase them").fill("zoe");
    await erase.click();
    await page
      .locator(".note")
      .getByText(/^Under way as ers_/)
      .waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await tooSmall(page)).toEqual([]);
    expect(complaints).toEqual([]);
  }, 60_000);
});
