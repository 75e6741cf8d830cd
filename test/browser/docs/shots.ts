/**
 * `npm run docs:shots`: the pictures of `docs/images`. A chat with its real words and a phone that is asked, on a fresh gateway; the
 * console's pages over the desk that `npm run seed` plays.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import OpenAI from "openai";
import type { ChatCompletionMessageParam, ChatCompletionTool } from "openai/resources/chat/completions";
import { type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { programArguments } from "../../../src/cli/program-arguments.ts";
import { root } from "../../../src/cli/settings.ts";
import { developmentKey } from "../../../src/cli/start/local-state.ts";
import { storesIn } from "../../../src/cli/start/local-stores.ts";
import { type Gateway, startGateway } from "../../clients/support/worker.ts";
import { chromiumPath } from "../chromium-path.ts";
import { type ChatLine, chatPage } from "./chat-page.ts";
import { type ScriptedCall, startScriptedModel } from "./scripted-model.ts";

const usage = `npm run docs:shots -- [--turns 600]
writes docs/images/*.webp, with the chromium of CHROMIUM_PATH (or Debian's)
  --turns  about how many turns the desk has seen`;
const { turns } = programArguments(usage, { turns: { type: "string", default: "600" } });

const images = join(root, "docs/images");
const QUALITY = 82;
const user = "tg-dev-user";
const operator = "tg-dev-admin";

const [text, number] = [{ type: "string" }, { type: "number" }];
const tool = (name: string, properties: Readonly<Record<string, object>>): ChatCompletionTool => ({
  type: "function",
  function: { name, parameters: { type: "object", properties, required: Object.keys(properties) } },
});
const fileTools = [
  tool("write_file", { path: text, content: text }),
  tool("send_email", { to: text, subject: text, body: text }),
];
const deskTools = [
  tool("refund", { order: text, amount: number }),
  tool("cancel_order", { id: text, reason: text }),
  tool("delete_customer", { email: text }),
  tool("export_customers", { to: text }),
];

const unlistedTools = [tool("lookup_invoice", { number: text }), tool("send_sms", { to: text, text })];

/** What people say, and the call that the model makes of it. */
type Wish = readonly [words: string, ...call: ScriptedCall];
const write: Wish = [
  "Write our release notes into the file NOTES.md",
  "write_file",
  { path: "NOTES.md", content: "1.4: faster search, fewer questions" },
];
const mail: Wish = [
  "Commit the file, and mail ada@example.com that it is ready",
  "send_email",
  {
    to: "ada@example.com",
    subject: "The notes are ready",
    body: "Dear Ada,\n\nthe release notes are in NOTES.md.\n\nBest, Lin",
  },
];
const desk: readonly Wish[] = [
  ["Export the customers of March to the auditor", "export_customers", { to: "audit@ledger.example" }],
  ["Refund 20 for A-1051, the cup has a crack", "delete_customer", { email: "nils.holm@example.com" }],
  ["Cancel the order A-1077, it was placed twice", "cancel_order", { id: "A-1077", reason: "placed twice" }],
  ["Refund 129.50 for A-1042, the lamp came broken", "refund", { order: "A-1042", amount: 129.5 }],
];
const trial: Wish = ["Refund 40 for A-1080, one plate is chipped", "refund", { order: "A-1080", amount: 40 }];

const wishes = [write, mail, ...desk, trial];
const model = await startScriptedModel(new Map(wishes.map(([words, ...call]) => [words, call])));
const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox", "--disable-gpu"] });
const folder = mkdtempSync(join(tmpdir(), "toolgate-shots-"));
try {
  await mkdir(images, { recursive: true });
  await withGateway({}, async (gateway) => {
    await shootChat(gateway);
    await shootPhone(gateway);
  });
  const env = { ...process.env, TOOLGATE_STATE: folder };
  await promisify(execFile)(process.execPath, ["src/cli/seed.ts", "--turns", turns], { cwd: root, env });
  const settings = { AUDIT_KEY: developmentKey(folder, "audit-key") };
  await withGateway({ folder: storesIn(folder), settings }, shootDesk);
} finally {
  await browser.close();
  await model.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function withGateway(
  options: Parameters<typeof startGateway>[0],
  use: (gateway: Gateway) => Promise<void>,
): Promise<void> {
  const gateway = await startGateway({ entry: "src/index.ts", upstream: model.url, ...options });
  try {
    await use(gateway);
  } finally {
    await gateway.stop();
  }
}

async function shootChat(gateway: Gateway): Promise<void> {
  const [words] = write;
  const lines: ChatLine[] = [{ who: "user", text: words }];
  const messages: ChatCompletionMessageParam[] = [{ role: "user", content: words }];
  const question = await ask(gateway, messages, "chat");
  lines.push({ who: "assistant", text: question.content ?? "" }, { who: "user", text: "yes" });
  messages.push(question, { role: "user", content: "yes" });
  const released = await ask(gateway, messages, "chat");
  for (const one of released.tool_calls ?? [])
    if (one.type === "function") lines.push({ who: "tool", text: `${one.function.name} ${one.function.arguments}` });
  const width = 760;
  await shoot("chat", { viewport: { width, height: 100 } }, async (page) => {
    await page.setContent(chatPage(lines));
    // As tall as the words need: the question's may change.
    await page.setViewportSize({ width, height: await page.evaluate(() => document.documentElement.scrollHeight) });
  });
}

async function shootPhone(gateway: Gateway): Promise<void> {
  // The newest is on top: what the chat asks, too.
  for (const [index, [words]] of [mail, write].entries())
    await ask(gateway, [{ role: "user", content: words }], `phone-${index}`);
  const options = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true };
  await shoot("phone", options, async (page) => {
    await open(page, gateway, user, "approvals", "NOTES.md");
    await answersAreTaken(page);
  });
}

async function shootDesk(gateway: Gateway): Promise<void> {
  for (const [index, [words]] of desk.entries())
    await ask(gateway, [{ role: "user", content: words }], `desk-${index}`, { key: operator, tools: deskTools });
  await ask(gateway, [{ role: "user", content: "hello" }], "unlisted", { tools: unlistedTools });
  const window = { viewport: { width: 1280, height: 800 } };
  await shoot("inbox", window, async (page) => {
    await open(page, gateway, operator, "approvals", "You wrote");
    await answersAreTaken(page);
  });
  const refusals = (page: Page) =>
    page.locator("section").filter({ hasText: "Refused last" }).last().locator("tbody a");
  await shoot("overview", window, async (page) => {
    await open(page, gateway, operator, "overview", "Delivered");
    await refusals(page).first().waitFor();
  });
  await shoot("timeline", window, async (page) => {
    await open(page, gateway, operator, "overview", "Refused last");
    await refusals(page).first().click();
    await page.locator(".turn.chosen").getByText("Refused").first().waitFor();
    // The page has scrolled to the turn, past its own heading.
    await page.evaluate(() => document.documentElement.scrollTo(0, 0));
  });
  await shoot("playground", window, async (page) => {
    await open(page, gateway, operator, "playground", "Say what you want");
    await page.getByPlaceholder("Say something").fill(trial[0]);
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("button", { name: "Approve" }).waitFor();
  });
  // The trail has the turn with those tools by now.
  await shoot("policy", window, async (page) => {
    await open(page, gateway, operator, "tools", "Take all 2 into the policy");
    await page.getByRole("link", { name: "Take all 2 into the policy" }).click();
    await page.getByText("unchanged lines").first().waitFor();
    await page.locator(".announcer p").waitFor({ state: "hidden" });
  });
}

/** Until the list rests, the buttons are grey. */
async function answersAreTaken(page: Page): Promise<void> {
  await page.locator('[data-key="a"][aria-disabled="false"]').first().waitFor();
}

async function open(page: Page, gateway: Gateway, key: string, path: string, shows: string): Promise<void> {
  await page.addInitScript((value) => sessionStorage.setItem("toolgate.key", value), key);
  await page.goto(`${new URL(gateway.baseURL).origin}/console/${path}`);
  await page.getByText(shows).filter({ visible: true }).first().waitFor();
}

async function ask(
  { baseURL }: Gateway,
  messages: ChatCompletionMessageParam[],
  session: string,
  { key = user, tools = fileTools } = {},
) {
  const defaultHeaders = { "x-toolgate-session": session };
  const client = new OpenAI({ baseURL, apiKey: key, maxRetries: 0, defaultHeaders });
  const reply = await client.chat.completions.create({ model: "desk-model", messages, tools });
  const message = reply.choices[0]?.message;
  if (message === undefined) throw new Error(`no message for ${session}`);
  return message;
}

/** In both schemes. WebP, which the browser itself writes, takes a quarter of a PNG. */
async function shoot(name: string, options: BrowserContextOptions, show: (page: Page) => Promise<void>): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    const look = { colorScheme, deviceScaleFactor: 1.5, reducedMotion: "reduce", locale: "en-GB" } as const;
    const context = await browser.newContext({ ...options, ...look });
    const page = await context.newPage();
    await show(page);
    const devtools = await context.newCDPSession(page);
    const { data } = await devtools.send("Page.captureScreenshot", { format: "webp", quality: QUALITY });
    await writeFile(join(images, `${name}-${colorScheme}.webp`), Buffer.from(data, "base64"));
    await context.close();
  }
}
