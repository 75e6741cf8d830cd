/** `npm run docs:shots`: the pictures of `docs/images`, of the real gateway's console and of a chat with its real words. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import OpenAI from "openai";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { programArguments } from "../../../src/cli/program-arguments.ts";
import { root } from "../../../src/cli/settings.ts";
import { startGateway } from "../../clients/support/worker.ts";
import { chromiumPath } from "../chromium-path.ts";
import { type ChatLine, chatPage } from "./chat-page.ts";

programArguments("npm run docs:shots\nwrites docs/images/*.png, with the chromium of CHROMIUM_PATH (or Debian's)", {});

const images = join(root, "docs/images");
const key = "tg-dev-user";
const mailTool = {
  type: "function" as const,
  function: {
    name: "send_email",
    parameters: {
      type: "object",
      properties: { to: { type: "string" }, subject: { type: "string" }, body: { type: "string" } },
      required: ["to", "subject", "body"],
    },
  },
};
const fileTool = {
  type: "function" as const,
  function: {
    name: "write_file",
    parameters: {
      type: "object",
      properties: { path: { type: "string" }, content: { type: "string" } },
      required: ["path", "content"],
    },
  },
};
const call = (tool: string, args: object): string => `demo: call ${tool} ${JSON.stringify(args)}`;
/** The person's words, and behind them what the demo model does; a picture shows the words alone. */
const write = {
  words: "Write our release notes into the file NOTES.md",
  script: call("write_file", { path: "NOTES.md", content: "1.4: faster search, fewer questions" }),
};
const mail = {
  words: "Research is done: mail Ada that the file is ready",
  script: call("send_email", {
    to: "ada@example.com",
    subject: "The notes are ready",
    body: "Dear Ada,\n\nthe release notes are in NOTES.md.\n\nBest, Lin",
  }),
};

const gateway = await startGateway({ entry: "src/index.ts" });
const origin = new URL(gateway.baseURL).origin;
const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox", "--disable-gpu"] });
try {
  await mkdir(images, { recursive: true });
  await shootChat();
  await shootInbox();
} finally {
  await browser.close();
  await gateway.stop();
}

async function shootChat(): Promise<void> {
  const lines: ChatLine[] = [{ who: "user", text: write.words }];
  const messages: ChatCompletionMessageParam[] = [{ role: "user", content: `${write.words}\n${write.script}` }];
  const question = await ask(messages, "chat");
  lines.push({ who: "assistant", text: question.content ?? "" }, { who: "user", text: "yes" });
  messages.push(question, { role: "user", content: "yes" });
  const released = await ask(messages, "chat");
  for (const one of released.tool_calls ?? [])
    if (one.type === "function") lines.push({ who: "tool", text: `${one.function.name} ${one.function.arguments}` });
  await inBothSchemes("chat", { viewport: { width: 760, height: 440 } }, async (page) => {
    await page.setContent(chatPage(lines));
  });
}

async function shootInbox(): Promise<void> {
  for (const [session, { words, script }] of Object.entries({ mail, write }))
    await ask([{ role: "user", content: `${words}\n${script}` }], session);
  const signedIn = async (page: Page): Promise<void> => {
    await page.addInitScript((value) => sessionStorage.setItem("toolgate.key", value), key);
    await page.goto(`${origin}/console/approvals`);
    await page.getByText("ada@example.com").first().waitFor();
  };
  await inBothSchemes("inbox", { viewport: { width: 1100, height: 720 } }, signedIn);
  await inBothSchemes("phone", { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true }, signedIn);
}

async function ask(messages: ChatCompletionMessageParam[], session: string) {
  const defaultHeaders = { "x-toolgate-session": session };
  const client = new OpenAI({ baseURL: gateway.baseURL, apiKey: key, maxRetries: 0, defaultHeaders });
  const reply = await client.chat.completions.create({ model: "demo", messages, tools: [fileTool, mailTool] });
  const message = reply.choices[0]?.message;
  if (message === undefined) throw new Error(`no message for ${session}`);
  return message;
}

async function inBothSchemes(
  name: string,
  options: BrowserContextOptions,
  show: (page: Page) => Promise<void>,
): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    const context = await browser.newContext({
      ...options,
      colorScheme,
      deviceScaleFactor: 1.5,
      reducedMotion: "reduce",
      locale: "en-GB",
    });
    const page = await context.newPage();
    await show(page);
    await page.screenshot({ path: join(images, `${name}-${colorScheme}.png`) });
    await context.close();
  }
}
