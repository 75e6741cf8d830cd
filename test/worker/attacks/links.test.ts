/**
 * Attacks on signed links and on the console's pages.
 * @module-tag attack/links
 */
import { describe, expect, it } from "vitest";
import { signLink } from "../../../src/approvals/link-token.ts";
import { parseKeyRing } from "../../../src/lib/key-ring.ts";
import { askApproval } from "../approvals/asked-approval.ts";
import { type Gateway, gateway } from "../support/gateway.ts";

const KEYS = `k1:${"a1".repeat(16)}`;
const FORM = { "content-type": "application/x-www-form-urlencoded" };

function sign(keys: string, tenant: string, approval: string, expiresAt: number): string {
  const ring = parseKeyRing(keys, "signing key");
  if (!ring.ok) throw new Error(ring.error);
  return signLink(ring.value, { approval, tenant, user: "ada", expiresAt });
}

async function linked(): Promise<{ gate: Gateway; id: string; token: string; status: () => Promise<unknown> }> {
  const gate = await gateway({ variables: { SIGNING_KEYS: KEYS, PUBLIC_URL: "https://tools.example" } });
  const { id, expiresAt } = await askApproval({ tenant: gate.tenant });
  const status = async () => ((await (await gate.fetch(`/v1/approvals/${id}`)).json()) as { status: string }).status;
  return { gate, id, token: sign(KEYS, gate.tenant, id, expiresAt), status };
}

const tokens: readonly (readonly [name: string, of: (token: string, tenant: string, id: string) => string])[] = [
  ["padding", (token) => `${token}=`],
  ["other base64", (token) => token.replace(/.$/, "+")],
  ["a percent sign", (token) => `%${token.charCodeAt(0).toString(16)}${token.slice(1)}`],
  ["a path behind it", (token) => `${token}/x`],
  ["a path before it", (token) => `x/../${token}x`],
  ["NUL behind it", (token) => `${token}%00`],
  ["a blank behind it", (token) => `${token}%20`],
  ["a line break behind it", (token) => `${token}%0a`],
  ["10 KB", () => "a".repeat(10_000)],
  ["nothing", () => ""],
  ["capitals", (token) => token.toUpperCase()],
  [
    "another key of the same id",
    (_token, tenant, id) => sign(`k1:${"b2".repeat(16)}`, tenant, id, Date.now() + 60_000),
  ],
  ["another tenant", (_token, tenant, id) => sign(KEYS, `${tenant}x`, id, Date.now() + 60_000)],
  ["an end that is over", (_token, tenant, id) => sign(KEYS, tenant, id, Date.now() - 1)],
];

describe("a link that is not the one that was sent decides nothing", () => {
  it.each(tokens)("%s", async (_name, of) => {
    const { gate, id, token, status } = await linked();
    const path = `/approve/${of(token, gate.tenant, id)}`;
    for (const method of ["GET", "POST"]) {
      const body = method === "POST" ? "action=approve" : undefined;
      const answer = await gate.fetch(path, { method, body, headers: { ...FORM, authorization: "" } });
      expect([401, 404, 410]).toContain(answer.status);
    }
    expect(await status()).toBe("pending");
  });
});

const requests: readonly (readonly [
  name: string,
  method: string,
  body: string | undefined,
  headers: Record<string, string>,
])[] = [
  ["a page of another site", "POST", "action=approve", { origin: "https://evil.example" }],
  ["a page without an origin", "POST", "action=approve", { origin: "null", "sec-fetch-site": "cross-site" }],
  ["a frame", "POST", "action=approve", { "sec-fetch-site": "cross-site", "sec-fetch-dest": "iframe" }],
  ["JSON", "POST", '{"action":"approve"}', { "content-type": "application/json" }],
  ["`text/plain`", "POST", "action=approve", { "content-type": "text/plain" }],
  ["an action twice", "POST", "action=deny&action=approve", {}],
  ["an action in capitals", "POST", "action=APPROVE", {}],
  ["an action in the query", "GET", undefined, {}],
  ["HEAD", "HEAD", undefined, {}],
  ["PUT", "PUT", "action=approve", {}],
  ["DELETE", "DELETE", undefined, {}],
  ["OPTIONS", "OPTIONS", undefined, { origin: "https://evil.example", "access-control-request-method": "POST" }],
  ["a prefetch", "GET", undefined, { "sec-purpose": "prefetch", purpose: "prefetch" }],
  ["another method in a header", "GET", undefined, { "x-http-method-override": "POST" }],
];

describe("the link itself decides nothing, by", () => {
  it.each(requests)("%s", async (_name, method, body, headers) => {
    const { gate, token, status } = await linked();
    const init = { method, body, headers: { ...FORM, authorization: "", ...headers } };
    const answer = await gate.fetch(`/approve/${token}?action=approve&_method=POST`, init);
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    expect(await status()).toBe("pending");
  });
});

const markup = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  '"><svg onload=alert(1)>',
  "</code><form>",
  "javascript:alert(1)",
  "&lt;b&gt;",
  "{{7*7}}",
  "\u202e<b>",
];

describe("a page has no markup of a call's", () => {
  it.each(markup)("%j", async (text) => {
    const gate = await gateway({ variables: { SIGNING_KEYS: KEYS } });
    const { id, expiresAt } = await askApproval({
      tenant: gate.tenant,
      tool: text,
      arguments: { title: text, [text]: text },
      redact: [],
    });
    const path = `/approve/${sign(KEYS, gate.tenant, id, expiresAt)}`;
    const answer = await gate.fetch(path, {
      headers: { authorization: "", "accept-language": text.replace(/[^\x20-\x7e]/g, "") },
    });
    expect(answer.headers.get("content-security-policy")).toMatch(/^default-src 'none'/);
    const page = await answer.text();
    expect(page).not.toMatch(/<(?:script|img)[\s>]/);
    if (text.includes("<")) expect(page).not.toContain(text);
  });
});

describe("the console serves its own files alone", () => {
  it.each([
    "..%2fapp.js",
    "%2e%2e/%2e%2e/etc/passwd",
    "..\\..\\x",
    "%00",
    "index.html%00.js",
    "//evil.test",
    "assets/../../v1/audit/turns",
    "__proto__",
    "constructor",
  ])("/console/%s", async (path) => {
    const gate = await gateway();
    const answer = await gate.fetch(`/console/${path}`, { headers: { authorization: "" } });
    const page = await answer.text();
    expect(page).not.toMatch(/root:|"object":"list"/);
    if (answer.status === 200) expect(answer.headers.get("content-security-policy")).toContain("default-src");
    else expect([301, 302, 308, 401, 404]).toContain(answer.status);
    expect(answer.headers.get("location") ?? "/").toMatch(/^\/(?!\/)/);
  });
});
