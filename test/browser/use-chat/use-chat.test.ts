/** `toolgate/react` in a page with the AI SDK's `useChat`, against the gateway as it is deployed. */
import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callsTools, type ScriptedUpstream, says, startUpstream } from "../../clients/support/upstream.ts";
import { type Gateway, startGateway } from "../../clients/support/worker.ts";
import { tooSmall, violations } from "../accessibility.ts";
import { desktop, hasChromium, launch, openPage, phone } from "../chromium.ts";
import { shoot } from "../shots.ts";
import { type ChatServer, startChatServer } from "./chat-server.ts";

let upstream: ScriptedUpstream;
let gateway: Gateway;
let browser: Browser;
let server: ChatServer;

beforeAll(async () => {
  if (!hasChromium) return;
  upstream = await startUpstream();
  [gateway, browser] = await Promise.all([startGateway({ upstream: upstream.url }), launch()]);
  server = await startChatServer(new URL(gateway.baseURL).origin);
});
afterAll(async () => {
  await server?.close();
  await browser?.close();
  await gateway?.stop();
  await upstream?.stop();
});

const policy = {
  handshake: { select: "off" },
  tools: { write_file: { category: "modification", description: "Write a file, replacing what it held" } },
};
const writes = (path: string, content = "hello") =>
  callsTools({ name: "write_file", arguments: { path, content, mode: 420 } });

async function open(options: BrowserContextOptions) {
  server.key = await gateway.key({ policy });
  server.sent.length = 0;
  const opened = await openPage(browser, server.origin, options);
  const { page } = opened;
  await page.goto("/");
  const say = async (text: string) => {
    await page.locator("main > [role=status]", { hasText: "ready" }).waitFor();
    await page.getByLabel("Message").fill(text);
    await page.getByLabel("Message").press("Enter");
  };
  const card = page.getByRole("region", { name: /Write a file/ }).last();
  const done = () => page.evaluate(() => (window as unknown as { done: { input: unknown }[] }).done);
  const press = (name: string) => card.getByRole("button", { name, exact: true }).click();
  return { ...opened, say, card, done, press };
}

describe.skipIf(!hasChromium).each([
  ["desktop", desktop],
  ["phone", phone],
] as const)("on a %s", (name, options) => {
  test("asks before a call runs, and runs it once on a yes", async () => {
    const { page, say, card, done, press, complaints, strangers } = await open(options);
    upstream.script(writes("notes.txt"), says("It is written."));
    await say("write hello into notes.txt");
    await card.getByText("notes.txt").first().waitFor();
    await shoot(page, `use-chat-${name}-asked`);
    expect(await violations(page)).toEqual([]);
    expect(await tooSmall(page)).toEqual([]);
    expect([await done(), upstream.requests.length]).toEqual([[], 1]);
    await press("Approve");
    await page.getByText("It is written.").waitFor();
    expect((await done()).map(({ input }) => input)).toEqual([{ path: "notes.txt", content: "hello", mode: 420 }]);
    await expect.poll(() => page.locator(".state").allTextContents()).toEqual(["output-available"]);
    expect(await card.count()).toBe(0);
    await shoot(page, `use-chat-${name}-done`);
    expect({ complaints, strangers }).toEqual({ complaints: [], strangers: [] });
  });
});

describe.skipIf(!hasChromium)("a question", () => {
  test("is refused with a reason, which the model hears", async () => {
    const { page, say, done, press, card } = await open(desktop);
    upstream.script(writes("notes.txt"), says("Then not."));
    await say("write hello into notes.txt");
    await press("Deny");
    await card.getByLabel(/Why not/).fill("the wrong file");
    await shoot(page, "use-chat-deny");
    expect([await violations(page), await tooSmall(page)]).toEqual([[], []]);
    await press("Deny");
    await page.getByText("Then not.").waitFor();
    expect([await done(), JSON.stringify(upstream.requests[1]?.body.messages).includes("the wrong file")]).toEqual([
      [],
      true,
    ]);
    expect(await page.locator(".state").allTextContents()).toEqual(["output-denied"]);
  });

  test("is answered with edited values: what is no JSON is said, what is right runs", async () => {
    const { page, say, done, press, card } = await open(desktop);
    upstream.script(writes("notes.txt"), says("It is written."));
    await say("write hello into notes.txt");
    await press("Edit");
    await card.getByLabel("mode").fill("not a number");
    await press("Approve as edited");
    await card.getByRole("alert").waitFor();
    await shoot(page, "use-chat-edit");
    expect([await violations(page), await tooSmall(page)]).toEqual([[], []]);
    await card.getByLabel("mode").fill("384");
    await card.getByLabel("content").fill("hello you");
    await press("Approve as edited");
    await page.getByText("It is written.").waitFor();
    expect((await done()).map(({ input }) => input)).toEqual([{ path: "notes.txt", content: "hello you", mode: 384 }]);
  });

  test("is granted for the conversation: the next call does not ask", async () => {
    const { page, say, done, press, card } = await open(desktop);
    upstream.script(writes("a.txt"), says("One."), writes("a.txt"), says("Two."));
    await say("write hello into a.txt");
    await card.getByLabel(/Do not ask again/).check();
    await press("Approve");
    await page.getByText("One.").waitFor();
    await say("once more");
    await page.getByText("Two.").waitFor();
    expect((await done()).length).toBe(2);
  });

  test("whose answer did not arrive is asked again", async () => {
    const { page, say, card, done, press } = await open(desktop);
    upstream.script(writes("notes.txt"), says("It is written."));
    await say("write hello into notes.txt");
    await card.waitFor();
    server.failNext = true;
    await press("Approve");
    await page.getByText("the line is down").waitFor();
    expect(await done()).toEqual([]);
    await press("Approve");
    await page.getByText("It is written.").waitFor();
    expect((await done()).length).toBe(1);
  });

  test("shows what others wrote as text: no markup, nothing unseen", async () => {
    const { page, say, card, complaints } = await open(desktop);
    const attack = "<img src=x onerror=alert(1)>\u202egpj.exe";
    upstream.script(writes(attack, "`</code><script>alert(1)</script>"), says("Done."));
    await say("write it");
    await card.getByText("\\u202egpj.exe").first().waitFor();
    expect([await card.locator("img, script").count(), complaints]).toEqual([0, []]);
    await shoot(page, "use-chat-hostile");
  });
});

test.skipIf(!hasChromium)("a page that is loaded again goes on with the reply that is being written", async () => {
  const { page, say, complaints } = await open(desktop);
  const { promise: loadedAgain, resolve: goOn } = Promise.withResolvers<void>();
  upstream.answer(async (response) => {
    const write = (delta: object, finish: string | null = null) =>
      response.write(`data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
    response.writeHead(200, { "content-type": "text/event-stream" });
    write({ role: "assistant", content: "The first half" });
    await loadedAgain;
    write({ content: " and the second." });
    write({}, "stop");
    response.end("data: [DONE]\n\n");
  });
  await page.goto("/?resume=chat-1");
  await say("tell me");
  await page.getByText("The first half").waitFor();
  await page.reload();
  await page.getByText("The first half").waitFor();
  goOn();
  await page.getByText("The first half and the second.").waitFor();
  await page.locator("main > [role=status]", { hasText: "ready" }).waitFor();
  expect([server.sent.length, complaints]).toEqual([1, []]);
});
