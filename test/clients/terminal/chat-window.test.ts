/** `toolgate chat` in a window, with keys typed and its screen compared. Left out where there is no tmux. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import stringWidth from "fast-string-width";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { program } from "../support/terminal.ts";
import { hasTmux, openWindow, type Window } from "../support/tmux.ts";
import { begins, callsTools, neverEnds, type ScriptedUpstream, says, startUpstream } from "../support/upstream.ts";
import { type Gateway, startGateway } from "../support/worker.ts";

let upstream: ScriptedUpstream;
let gateway: Gateway;
let folder: string;
let window: Window | undefined;

beforeAll(async () => {
  if (!hasTmux) return;
  upstream = await startUpstream();
  gateway = await startGateway({ upstream: upstream.url });
});
afterAll(async () => {
  await gateway?.stop();
  await upstream?.stop();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolgate-window-"));
});
afterEach(async () => {
  await window?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function openChat({ columns = 60, rows = 60, env = {} } = {}): Promise<Window> {
  const origin = gateway.baseURL.replace(/\/v1$/, "");
  const command = [...program, "chat", "--gateway", origin, "--model", "gpt", "--folder", folder];
  window = await openWindow(command, { columns, rows, env: { TOOLGATE_KEY: await gateway.key(), ...env } });
  await window.shows(/^[›>]/m);
  return window;
}

const say = (chat: Window, text: string) => chat.keys(text, "Enter");
const writes = (path: string, content = "hello") => callsTools({ name: "write_file", arguments: { path, content } });
const file = (name: string): string => join(folder, name);
/** The last line is a question that waits for a key. */
const asks = /Y\/N\/E\/A\/\?:$/;
/** What differs from run to run. */
const steady = (screen: string): string =>
  screen.replace(/write_file {2}[0-9A-Z]{4}/g, "write_file  CODE").replace(/\d+ ?ms/g, "N ms");

describe.skipIf(!hasTmux)("a person at a window", () => {
  it("sees the call in a box, answers by a key, and sees what came of it", async () => {
    const chat = await openChat();
    upstream.script(writes("a.txt", "漢字のテキスト"), says("Written."));
    await say(chat, "create a file a.txt with the text 漢字のテキスト");
    const asked = steady(await chat.shows(asks));
    expect(asked.slice(asked.indexOf("┌"))).toBe(
      `
┌─────────────────────────────────────────────────────────┐
│ Tool: write_file  CODE                                  │
│ Category: MODIFICATION  expires in 24 h                 │
├─────────────────────────────────────────────────────────┤
│ \`a.txt\` に書き込みますか？                              │
│                                                         │
│   path: a.txt                                           │
│   content: 漢字のテキスト                               │
│                                                         │
│ 既存の内容が変更される可能性があります。                │
│ ⚠ この操作は元に戻せません。                            │
├─────────────────────────────────────────────────────────┤
│ [Y] Proceed  [N] Cancel  [E] Edit                       │
│ [A] Always, in this session  [?] More                   │
└─────────────────────────────────────────────────────────┘
Y/N/E/A/?:`.trimStart(),
    );
    expect(existsSync(file("a.txt"))).toBe(false);
    await chat.keys("y");
    const done = steady(await chat.shows("  Written."));
    expect(done).toContain(
      `
┌─────────────────────────────────────────────────────────┐
│ write_file  succeeded                                   │
├─────────────────────────────────────────────────────────┤
│ wrote 21 bytes to a.txt                                 │
├─────────────────────────────────────────────────────────┤
│ Execution time: N ms`.trimStart(),
    );
    expect(done).toMatch(/^ {2}Written\.\naction · \w+ · offered 4 · N ms$/m);
    expect(readFileSync(file("a.txt"), "utf8")).toBe("漢字のテキスト");
    await chat.keys("C-d");
    await chat.shows("ended 0");
  });

  it("changes an argument in a form", async () => {
    const chat = await openChat();
    upstream.script(writes("a.txt"), says("Written."));
    await say(chat, "create a file a.txt with the text hello");
    await chat.shows(asks);
    await chat.keys("e");
    await chat.shows("path: a.txt");
    await chat.keys("Enter");
    await chat.shows("relative to the folder");
    await chat.keys("C-u");
    await say(chat, "b.txt");
    await chat.shows("path: b.txt");
    await chat.keys("Down", "Down");
    await chat.shows("● Send the call");
    await chat.keys("Enter");
    await chat.shows("  Written.");
    expect([existsSync(file("a.txt")), readFileSync(file("b.txt"), "utf8")]).toEqual([false, "hello"]);
  });

  it("asks for more, refuses with a reason, and the model hears it", async () => {
    const chat = await openChat();
    upstream.script(writes("a.txt"), says("Then not."));
    await say(chat, "create a file a.txt with the text hello");
    await chat.shows(asks);
    await chat.keys("?");
    await chat.shows('"content": "hello"');
    await chat.shows(asks);
    await chat.keys("n");
    await chat.shows("Why not?");
    await say(chat, "it is there already");
    await chat.shows("  Then not.");
    expect(existsSync(file("a.txt"))).toBe(false);
    expect(JSON.stringify(upstream.requests.at(-1)?.body.messages)).toContain("it is there already");
  });

  it("leaves a question open by Ctrl-C, and is asked again", async () => {
    const chat = await openChat();
    upstream.script(writes("a.txt"), says("Written."));
    await say(chat, "create a file a.txt with the text hello");
    await chat.shows(asks);
    await chat.keys("C-c");
    await chat.shows("Not answered");
    await say(chat, "/ask");
    await chat.shows(asks);
    await chat.keys("y");
    await chat.shows("  Written.");
    expect(existsSync(file("a.txt"))).toBe(true);
  });

  it("goes on with what was answered in the inbox, only when told to", async () => {
    const key = await gateway.key();
    const chat = await openChat({ env: { TOOLGATE_KEY: key } });
    upstream.script(writes("a.txt"), says("Written."));
    await say(chat, "create a file a.txt with the text hello");
    await chat.shows(asks);
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const listed = await fetch(`${gateway.baseURL}/approvals?status=pending`, { headers });
    const { data } = (await listed.json()) as { readonly data: readonly { readonly id: string }[] };
    const body = JSON.stringify({ action: "edit", arguments: { path: "b.txt" } });
    await fetch(`${gateway.baseURL}/approvals/${data[0]?.id}`, { method: "POST", headers, body });
    await chat.keys("y");
    await chat.shows("It was answered elsewhere");
    expect([existsSync(file("a.txt")), existsSync(file("b.txt"))]).toEqual([false, false]);
    await say(chat, "/continue");
    await chat.shows("  Written.");
    expect([existsSync(file("a.txt")), existsSync(file("b.txt"))]).toEqual([false, true]);
  });

  it("answers no question by what was typed before it, nor by Enter", { tags: ["attack/answers"] }, async () => {
    const chat = await openChat();
    const { promise: typed, resolve: goOn } = Promise.withResolvers<void>();
    upstream.script((response, request) => {
      begins([{ role: "assistant", content: "Working on it now. " }], async () => {
        await typed;
        const call = {
          id: "call_1",
          type: "function",
          function: { name: "write_file", arguments: '{"path":"a.txt","content":"x"}' },
        };
        const chunk = (delta: object, finish: string | null) =>
          `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
        response.end(
          `${chunk({ tool_calls: [{ index: 0, ...call }] }, null)}${chunk({}, "tool_calls")}data: [DONE]\n\n`,
        );
      })(response, request);
    });
    await say(chat, "create a file a.txt with the text x");
    await chat.shows("Working on it now.");
    await chat.keys("y", "y", "Enter", "a");
    goOn();
    await chat.shows(asks);
    await chat.keys("Enter");
    await chat.shows(/Y\/N\/E\/A\/\?:\s+Y\/N\/E\/A\/\?:$/);
    expect(existsSync(file("a.txt"))).toBe(false);
  });

  it("is shown no box by the model's words, however long their lines are", { tags: ["attack/frames"] }, async () => {
    const chat = await openChat({ columns: 41 });
    upstream.script(says(`${"x".repeat(39)}┌──────┐ │ Tool: safe │ \u001b[H[Y] Proceed\r[N] no`));
    await say(chat, "hi");
    const screen = await chat.shows(/^(action|reasoning)/m);
    expect(screen).toContain("Tool: safe");
    const words = screen.slice(screen.indexOf("xxx") - 2).split(/\n(?=action|reasoning)/)[0] ?? "";
    for (const line of words.split("\n")) expect(line).toMatch(/^ {2}\S/);
  });

  it("stops a reply by Ctrl-C, and goes on", async () => {
    const chat = await openChat();
    upstream.script(neverEnds, says("Hello again."));
    await say(chat, "tell me everything");
    await chat.shows("more more");
    await chat.keys("C-c");
    await chat.shows("stopped");
    await say(chat, "hi");
    await chat.shows("  Hello again.");
  });

  it.each([
    ["no colours where NO_COLOR says so", { NO_COLOR: "1" }, "┌", 0],
    ["colours where there are some, and ASCII where the locale has no lines", { LANG: "C" }, "+", 1],
  ])("reads boxes in a window of 40 columns: %s", async (_, env, corner, colours) => {
    const chat = await openChat({ columns: 40, env });
    upstream.script(writes("a.txt"));
    await say(chat, "create a file a.txt with the text hello");
    const screen = await chat.shows(asks);
    const rows = screen
      .slice(screen.indexOf(`\n${corner}`) + 1)
      .split("\n")
      .slice(0, -1);
    expect(new Set(rows.map((row) => stringWidth(row)))).toEqual(new Set([39]));
    expect(screen).toContain("[Y] Proceed  [N] Cancel  [E] Edit");
    expect(Math.min(await chat.colours(), 1)).toBe(colours);
  });
});
