import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Language } from "../../../src/approvals/disclosure/disclosed.ts";
import { wordsOf } from "../../../src/approvals/words/words.ts";
import { callPage, refusalPage } from "../../../src/http/approve/call-page.ts";
import { pageHeaders, pageTokens } from "../../../src/http/approve/page-style.ts";
import { languages } from "../../../src/lib/text/languages.ts";
import { askedAt, sample } from "./sample.ts";

const whose = { tenant: "acme", user: "ada" };
const drawIn = async (language: Language, ...args: Parameters<typeof sample>) =>
  String(await callPage(sample(...args), whose, askedAt + 125_000, language));
const draw = (...args: Parameters<typeof sample>) => drawIn("en", ...args);

const drawArguments = (args: Record<string, unknown>) => draw({ arguments: JSON.stringify(args), recorded: args });

describe("the page of a call", () => {
  it("shows what will happen, with which values, what changes, where data goes, how it is undone, and until when", async () => {
    const page = await draw({}, { more: "More about it." });
    expect(page).toContain("<h1>Change your outline?</h1>");
    for (const text of ["Data goes to the GNORM annotation service.", "More about it.", "You answer as ada (acme)"])
      expect(page).toContain(text);
    expect(page).toContain("<code>/toolgate undo</code> takes it back.");
    expect(page).toContain('<dt>section<span class="soft"></span></dt><dd><pre>\n2.1</pre></dd>');
    expect(page).toContain('<span class="spoken">removed: </span>2.1 Sources');
    expect(page).toContain('<time datetime="2026-11-22T09:45:00.000Z">22 Nov 2026, 09:45 UTC</time> (43 min left)');
    expect(page).toContain("22 Nov 2026, 09:00 UTC</time> (2 min ago)");
  });

  it("shows each value whole, as it is laid out, and nothing unseen in it", async () => {
    const text = `if (a) {\n\tb();\n}\n${"x".repeat(400)} to eve@example.org\u202e`;
    const page = await drawArguments({ text, list: [1, { a: "b" }] });
    expect(page).toContain(`<pre>\nif (a) {\n\tb();\n}\n${"x".repeat(400)} to eve@example.org\\u202e</pre>`);
    expect(page).toContain('<dt>text<span class="soft"> (with escapes)</span></dt>');
    expect(page).toContain('<dt>list<span class="soft"> JSON</span></dt>');
    expect(page).toContain("<pre>\n[1,{&quot;a&quot;:&quot;b&quot;}]</pre>");
  });

  it("has who approves say that they have looked at all of a value that scrolls", async () => {
    const page = await drawArguments({ text: "line\n".repeat(40), path: "a" });
    expect(page).toContain(
      '<input type="checkbox" name="read" value="1" required><span>I have read the whole value of “text”.',
    );
    expect(page).toContain('<pre tabindex="0">');
    expect(page).toContain('value="deny" formnovalidate');
    expect(await draw()).not.toContain("required");
  });

  it("shows what the policy keeps from records, but not what it hides from who is asked", async () => {
    expect(await draw()).toContain("<pre>\nsk-1</pre>");
    const page = await draw({}, { hides: ["token"] });
    expect(page).not.toContain("sk-1");
    expect(page).toContain('<dd class="soft">hidden from you</dd>');
    expect(page).toContain("The policy hides <code>token</code> from you.");
    expect(/<title>(.*)<\/title>/.exec(page)?.[1]).toBe("An action waits for an answer");
  });

  it("offers to enable a tool beyond this call, and does so by no mere yes", async () => {
    const page = await draw({ asks: ["first_use"] });
    expect(page).toContain('<input type="checkbox" name="enable" value="1"><span>Also enable edit_outline from now on');
    expect(await draw({ asks: ["first_use"] }, { persistsGate: false })).toContain(
      "enable edit_outline for this conversation",
    );
    expect(await draw()).not.toContain('name="enable"');
  });

  it("names no tenant where there is only one", async () => {
    const only = { tenant: "default", user: "ada" };
    const own = String(await callPage(sample({}), only, askedAt, "en"));
    expect(own).toContain('<p class="soft">You answer as ada</p>');
  });

  it("offers to endorse the result that a value stands in, by a box that nobody has ticked", async () => {
    const endorsable = { tool: "read_<b>mail", callId: "c1", digest: "d" };
    const text =
      "Also accept other addresses, names and numbers from this result of read_&lt;b&gt;mail for this task, without asking again";
    expect(await draw({ endorsable })).toContain(
      `<input type="checkbox" name="endorse" value="1"><span>${text}</span>`,
    );
    expect(await draw()).not.toContain('name="endorse"');
  });

  it("escapes whatever a model, a client or a person wrote", async () => {
    const evil = `"><script>alert(1)</script><img src=x onerror='1'>&amp;`;
    const disclosed = {
      tool: evil,
      template: evil,
      destination: evil,
      undo: evil,
      more: evil,
      suspicious: { set: evil, path: `/${evil}` },
      undoes: { tool: evil, arguments: { [evil]: evil } },
      preview: { before: "/a", after: "/b" },
    };
    const args = JSON.stringify({ [evil]: evil, a: "x", b: evil, list: [evil] });
    const answer = { action: "deny", via: "link", by: evil, reason: evil } as const;
    const evilWho = { tenant: evil, user: evil };
    const asks = ["arguments_suspicious", "first_use"];
    const pages = [
      callPage(sample({ tool: evil, code: evil, arguments: args, asks }, disclosed), evilWho, askedAt, "en"),
      callPage(
        sample({ status: "denied", answeredAt: askedAt, answer, tool: evil, arguments: args }, disclosed),
        evilWho,
        askedAt,
        "en",
      ),
    ];
    for (const page of await Promise.all(pages)) {
      expect(String(page)).not.toMatch(/<script|<img|onerror='/);
      expect(String(page)).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
      expect(String(page)).toContain("&amp;amp;");
    }
  });

  it("is in the reader's language, whole", async () => {
    for (const language of languages) {
      const page = await drawIn(language, {}, { description: null, tool: "delete_file", language: "zh" });
      expect(page).toContain(`<html lang="${language}">`);
      for (const text of [wordsOf(language).page.approve, wordsOf(language).page.deny, wordsOf(language).page.until])
        expect(page).toContain(text);
      if (language === "en") expect(page.replace(/<style>.*<\/style>/s, "")).not.toMatch(/\p{Script=Han}/u);
    }
  });

  it("once decided it says how, and asks nothing more", async () => {
    const answered = { answeredAt: askedAt, usedBy: null };
    const yes = { action: "approve", via: "api", by: "ada", reason: null } as const;
    const approved = await draw({ ...answered, status: "approved", answer: yes });
    expect(approved).toContain("<h1>Approved</h1>");
    expect(approved).toContain("write “continue”");
    const held = await draw({ ...answered, status: "approved", answer: yes, channel: "hold" });
    expect(held).toContain("goes on by itself");
    // Acted on already: nothing is left to do.
    expect(await draw({ ...answered, status: "approved", answer: yes, usedBy: "dec_2" })).not.toContain("continue");
    const no = { ...yes, action: "deny", reason: "wrong section" } as const;
    expect(await draw({ ...answered, status: "denied", answer: no })).toContain("wrong section");
    for (const status of ["approved", "denied", "expired", "cancelled"] as const) {
      expect(await draw({ status })).not.toMatch(/<form|<button/);
      expect(await draw({ status })).toContain(wordsOf("en").page.decided[status].heading);
    }
  });

  it("has no script, and its headers allow none: only the style that it has", async () => {
    const page = await draw();
    expect(page).not.toMatch(/<script|\son\w+=|javascript:|<link|<iframe|src=|href=/i);
    const style = /<style>([\s\S]*)<\/style>/.exec(page)?.[1] ?? "";
    const hash = createHash("sha256").update(style).digest("base64");
    expect(pageHeaders["content-security-policy"]).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
  });

  it("has the colours and the type of the console", () => {
    const console = readFileSync("src/console/styles/tokens.css", "utf8").toString();
    const tokens = (css: string) =>
      new Map([...css.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = "", value = ""]) => [name, value.trim()]));
    const own = tokens(pageTokens);
    expect(own.size).toBeGreaterThan(12);
    for (const [name, value] of own) expect([name, tokens(console).get(name)]).toEqual([name, value]);
  });
});

it("a refusal is told in the reader's language", async () => {
  expect(String(await refusalPage("zh", "link_expired"))).toContain("此链接已过期");
});
