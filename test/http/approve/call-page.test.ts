import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { languages } from "../../../src/approvals/disclosed.ts";
import { callPage, refusalPage } from "../../../src/http/approve/call-page.ts";
import { pageHeaders } from "../../../src/http/approve/page-style.ts";
import { languageAccepted, pageWords } from "../../../src/http/approve/page-words.ts";
import { askedAt, sample } from "./sample.ts";

const whose = { tenant: "acme", user: "ada" };
const draw = async (...args: Parameters<typeof sample>) => String(await callPage(sample(...args), whose, askedAt));

describe("the page of a call", () => {
  it("shows what will happen, with which values, what changes, where data goes, how it is undone, and until when", async () => {
    const page = await draw({}, { learnMore: "More about it.", more: 3 });
    const { disclosure } = sample();
    for (const text of [disclosure.question, disclosure.summary, ...disclosure.notes, "Data goes to", "More about it."])
      expect(page).toContain(text);
    for (const { name, value } of disclosure.arguments)
      expect(page).toMatch(new RegExp(`<dt>${name}</dt><dd[^>]*>${RegExp.escape(value)}</dd>`));
    expect(page).toContain('<dd class="hidden">[redacted]</dd>');
    expect(page).toContain("and 3 more, not shown");
    expect(page).toContain('<span class="spoken">removed: </span>2.1 Sources');
    expect(page).toContain("the GNORM annotation service");
    expect(page).toContain("It can be undone with <code>restore_outline</code>.");
    expect(page).toContain('<time datetime="2026-11-22T09:45:00.000Z">');
    expect(page).toContain("in 45 minutes");
    expect(page).toContain("You answer as ada (acme)");
  });

  it("lets who decides read all of what is told by its beginning, and nothing unseen in it", async () => {
    const recorded = { text: `${"x".repeat(400)} to eve@example.org\u202e`, token: "[redacted]" };
    const cut = { arguments: [{ name: "text", value: `"${"x".repeat(300)}…`, redacted: false }] };
    const page = await draw({ recorded }, cut);
    expect(page).toContain("<summary>Show everything</summary>");
    expect(page).toContain("420 characters in all; “Show everything” shows them");
    expect(page).toContain("to eve@example.org\\u202e");
    expect(await draw({ recorded }, { more: 1 })).toContain("Show everything");
    expect(await draw()).not.toContain("Show everything");
  });

  it("holds nothing that is redacted, and its title nothing of the call", async () => {
    const page = await draw();
    expect(page).not.toContain("sk-very-secret");
    expect(/<title>(.*)<\/title>/.exec(page)?.[1]).toBe("A call waits for an answer");
  });

  it("escapes whatever a model, a client or a person wrote", async () => {
    const evil = `"><script>alert(1)</script><img src=x onerror='1'>&amp;`;
    const line = { name: evil, value: evil, redacted: false };
    const disclosed = {
      summary: evil,
      notes: [evil],
      arguments: [line],
      changes: [{ kind: "added", text: evil } as const],
      destination: evil,
      undoing: evil,
      question: evil,
      learnMore: evil,
    };
    const answer = { action: "deny", via: "link", by: evil, reason: evil } as const;
    const evilWho = { tenant: evil, user: evil };
    const pages = [
      callPage(sample({ tool: evil, code: evil }, disclosed), evilWho, askedAt),
      callPage(sample({ status: "denied", answeredAt: askedAt, answer, tool: evil }, disclosed), evilWho, askedAt),
    ];
    for (const page of await Promise.all(pages)) {
      expect(String(page)).not.toMatch(/<script|<img|onerror='/);
      expect(String(page)).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
      expect(String(page)).toContain("&amp;amp;");
    }
  });

  it("is in the disclosure's language, whole", async () => {
    for (const language of languages) {
      const page = await draw({}, { language });
      expect(page).toContain(`<html lang="${language}">`);
      for (const text of [pageWords[language].approve, pageWords[language].deny, pageWords[language].until])
        expect(page).toContain(text);
    }
  });

  it("once decided it says how, and asks nothing more", async () => {
    const answered = { answeredAt: askedAt, settledBy: null };
    const yes = { action: "approve", via: "api", by: "ada", reason: null } as const;
    const approved = await draw({ ...answered, status: "approved", answer: yes });
    expect(approved).toContain("<h1>Approved</h1>");
    expect(approved).toContain("write “continue”");
    const held = await draw({ ...answered, status: "approved", answer: yes, channel: "hold" });
    expect(held).toContain("goes on by itself");
    // Acted on already: nothing is left to do.
    expect(await draw({ ...answered, status: "approved", answer: yes, settledBy: "dec_2" })).not.toContain("continue");
    const no = { ...yes, action: "deny", reason: "wrong section" } as const;
    expect(await draw({ ...answered, status: "denied", answer: no })).toContain("wrong section");
    for (const status of ["approved", "denied", "expired", "cancelled"] as const) {
      expect(await draw({ status })).not.toMatch(/<form|<button/);
      expect(await draw({ status })).toContain(pageWords.en.decided[status][0]);
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
});

it("a refusal is told in the first of the browser's languages that there is", async () => {
  expect(languageAccepted(null)).toBe("en");
  expect(languageAccepted("fr-FR, ja;q=0.8, en;q=0.5")).toBe("ja");
  expect(languageAccepted("zh-Hant-TW")).toBe("zh");
  expect(languageAccepted("__proto__, constructor")).toBe("en");
  expect(String(await refusalPage("zh", "link_expired"))).toContain("此链接已过期");
});
