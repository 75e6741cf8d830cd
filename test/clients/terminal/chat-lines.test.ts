/** `toolgate chat` without a window: a script writes lines, and reads plain text and an exit code. */
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import library from "../../../policies/research-library.json" with { type: "json" };
import { type AnnotationService, startAnnotationService } from "../support/annotation-service.ts";
import { runToolgate } from "../support/terminal.ts";
import { callsTools, type ScriptedUpstream, says, startUpstream } from "../support/upstream.ts";
import { type Gateway, startGateway } from "../support/worker.ts";

let upstream: ScriptedUpstream;
let service: AnnotationService;
let gateway: Gateway;
let folder: string;

beforeAll(async () => {
  [upstream, service] = await Promise.all([startUpstream(), startAnnotationService()]);
  gateway = await startGateway({ upstream: upstream.url, settings: { TOOL_DNS: "off" } });
});
afterAll(async () => {
  await gateway?.stop();
  await Promise.all([upstream?.stop(), service?.stop()]);
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolgate-chat-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function chat(lines: readonly string[], more: { readonly key?: string; readonly args?: readonly string[] } = {}) {
  const { key = await gateway.key(), args = ["--folder", folder] } = more;
  const origin = gateway.baseURL.replace(/\/v1$/, "");
  return runToolgate(["chat", "--gateway", origin, "--model", "gpt", ...args], { lines, env: { TOOLGATE_KEY: key } });
}

const writes = (path: string, content = "hello") => callsTools({ name: "write_file", arguments: { path, content } });
const file = (name: string): string => join(folder, name);

describe("a script that chats", () => {
  it("is asked, answers by a line, and the call runs once", async () => {
    upstream.script(writes("a.txt"), says("Written."));
    const { code, out, aside } = await chat(["create a file a.txt with the text hello", "yes"]);
    expect([code, readFileSync(file("a.txt"), "utf8")]).toEqual([0, "hello"]);
    for (const shown of ["Tool: write_file", "Category: MODIFICATION", "path: a.txt", "cannot be undone", "Written."])
      expect(out).toContain(shown);
    expect(aside).toMatch(/^action · \w+ · offered 4 .*awaiting approval/m);
    expect(out).not.toContain("\u001b");
  });

  it("refuses with a reason that the model reads", async () => {
    upstream.script(writes("a.txt"), says("Then not."));
    const { code, out } = await chat(["create a file a.txt with the text hello", "no: it is there already"]);
    expect([code, existsSync(file("a.txt"))]).toEqual([0, false]);
    expect(out).toContain("Then not.");
    expect(JSON.stringify(upstream.requests.at(-1)?.body.messages)).toContain("it is there already");
  });

  it("edits by a line, is told what cannot be an edit, and asks for more", async () => {
    upstream.script(writes("a.txt"), says("Written."));
    const said = ["create a file a.txt with the text hello", "edit colour=red", "?", "edit path=b.txt"];
    const { code, out, aside } = await chat(said);
    expect([code, existsSync(file("a.txt")), readFileSync(file("b.txt"), "utf8")]).toEqual([0, false, "hello"]);
    expect(aside).toContain("there is no argument `colour`; there are path, content");
    expect(out).toContain('"path": "a.txt"');
  });

  it("decides each of several calls by its code", async () => {
    upstream.script(
      callsTools(...["a.txt", "b.txt"].map((path) => ({ name: "write_file", arguments: { path, content: path } }))),
      says("Both."),
    );
    const { aside, out } = await chat(["create the files a.txt and b.txt", "yes", "yes all"]);
    expect(aside).toContain("several calls wait");
    expect(out).toContain("Both.");
    expect([readFileSync(file("a.txt"), "utf8"), readFileSync(file("b.txt"), "utf8")]).toEqual(["a.txt", "b.txt"]);
  });

  it("runs what needs no answer and has the rest answered, of one step", async () => {
    writeFileSync(file("a.txt"), "old");
    const step = [
      { name: "read_file", arguments: { path: "a.txt" } },
      { name: "write_file", arguments: { path: "a.txt", content: "new" } },
    ];
    upstream.script(callsTools(...step), says("Both."));
    const { code, out } = await chat(["create a file a.txt with the text new", "yes"]);
    expect([code, readFileSync(file("a.txt"), "utf8")]).toEqual([0, "new"]);
    expect(out.indexOf("read_file  succeeded")).toBeLessThan(out.indexOf("Tool: write_file"));
    expect(out).toContain("Both.");
    const results = upstream.requests.at(-1)?.body.messages.filter(({ role }) => role === "tool");
    expect(JSON.stringify(results)).toMatch(/old.*wrote 3 bytes/);
  });

  it("leaves a call open where it has no answer, and says so by its exit code", async () => {
    upstream.script(writes("a.txt"));
    const { code, aside } = await chat(["create a file a.txt with the text hello"]);
    expect([code, existsSync(file("a.txt"))]).toEqual([3, false]);
    expect(aside).toContain("Not answered");
  });

  it("cancels what waits by another message", { tags: ["attack/answers"] }, async () => {
    upstream.script(writes("a.txt"), says("It is sunny."), says("Nothing waits."));
    const { code, out } = await chat(["create a file a.txt with the text hello", "how is the weather?", "yes"]);
    expect([code, existsSync(file("a.txt"))]).toEqual([0, false]);
    expect(out).toContain("It is sunny.");
  });
});

describe("what a reply may do to a terminal", () => {
  it("shows control characters of the model's words as signs", { tags: ["attack/frames"] }, async () => {
    upstream.script(says("before \u001b[2J\u001b[H\u009b1A\r\nafter \u202egnp.exe"));
    const { out } = await chat(["hi"]);
    expect(out).toContain("before \ufffd[2J\ufffd[H\ufffd1A\nafter \ufffdgnp.exe");
  });

  it("ends with an error where the reply breaks off, and runs nothing", { tags: ["attack/streams"] }, async () => {
    upstream.script((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(
        'data: {"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"I wri"}}]}\n\n',
      );
      setImmediate(() => response.destroy());
    });
    const { code, out, aside } = await chat(["create a file a.txt with the text hello"]);
    expect([code, out.trim()]).toEqual([1, "I wri"]);
    expect(aside).not.toBe("");
  });

  it("keeps tools inside their folder", { tags: ["attack/reach"] }, async () => {
    writeFileSync(`${folder}-secret.txt`, "secret");
    symlinkSync(`${folder}-secret.txt`, file("link.txt"));
    const reads = (path: string) => callsTools({ name: "read_file", arguments: { path } });
    for (const path of [`../${folder.split("/").at(-1)}-secret.txt`, `${folder}-secret.txt`, "link.txt"]) {
      upstream.script(reads(path), says("It is outside."));
      const { out } = await chat([`read ${path}`]);
      expect(out).toContain("read_file  failed");
      expect(JSON.stringify(upstream.requests)).not.toContain('secret"');
    }
    rmSync(`${folder}-secret.txt`);
  });
});

describe("tools that the gateway runs", () => {
  it("are shown with what they brought, how sure it is, and how long it took", async () => {
    const { gnorm_annotate: gnorm } = library.tools;
    const run = { ...gnorm.run, url: service.url, allowPrivate: true };
    const policy = { ...library, tools: { ...library.tools, gnorm_annotate: { ...gnorm, run } } };
    const text =
      "Augustine of Hippo developed his doctrine of divine illumination in response to skeptical challenges.";
    upstream.script(callsTools({ name: "gnorm_annotate", arguments: { text } }), says("Four entities."));
    const asked = `Which entities does this passage name: ${text}`;
    const { code, out } = await chat([asked, "learn more", "yes"], { key: await gateway.key({ policy }), args: [] });
    expect(code).toBe(0);
    for (const shown of [
      "Category: EXTERNAL",
      "GNORM is part of the ITSERR project",
      '[FACTUAL] "Augustine of Hippo" - Person (94% confidence)',
      '[INTERPRETIVE] "divine illumination" - Concept (68%)',
      "[UNVERIFIED] others wrote this",
      "Execution time: ",
      "Four entities.",
    ])
      expect(out).toContain(shown);
  });
});

describe("what cannot be", () => {
  it.each([
    [["chat", "--nonsense"], 2, "unknown option `--nonsense`"],
    [["chta"], 2, "did you mean `chat`"],
  ])("%j ends with code %i", async (args, code, words) => {
    const ended = await runToolgate(args);
    expect([ended.code, ended.out]).toEqual([code, ""]);
    expect(ended.aside).toContain(words);
  });

  it("says so where no gateway is", async () => {
    const { code, aside } = await runToolgate(["chat", "--gateway", "http://127.0.0.1:4"]);
    expect([code, aside]).toEqual([1, expect.stringContaining("nothing listens at")]);
  });
});
