/** Signed links: the page shows one exact call, fetched it decides nothing, its button decides it once. */
import { env } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Approval } from "../../../src/approvals/approval.ts";
import { signLink } from "../../../src/approvals/link-token.ts";
import { parseKeyRing } from "../../../src/lib/key-ring.ts";
import { type Gateway, type GatewayOptions, gateway } from "../support/gateway.ts";
import { runInGuard } from "../support/run-in-guard.ts";
import { captureLog } from "../telemetry/capture-log.ts";
import { type Asked, type AskOptions, askFor } from "./asking.ts";

const [one, two] = [`k1:${"a1".repeat(16)}`, `k2:${"b2".repeat(16)}`];
const origin = "https://gateway.test";

afterEach(() => {
  vi.useRealTimers();
});

const linked = (SIGNING_KEYS = one, options: GatewayOptions = {}): Promise<Gateway> =>
  gateway({ variables: { SIGNING_KEYS, PUBLIC_URL: "https://tools.example" }, ...options });
const asked = (gate: Gateway, options: AskOptions = {}) => askFor(gate.guard as unknown as Asked, gate, options);
const approvalsOf = (gate: Gateway) => gate.guard.approvals;
const statusOf = async (gate: Gateway, { id }: Approval) => (await approvalsOf(gate).find(id))?.status;

function linkOf(gate: Gateway, approval: Approval, keys = one): string {
  const ring = parseKeyRing(keys, "signing key");
  if (!ring.ok) throw new Error(ring.error);
  const { id, expiresAt } = approval;
  return `/approve/${signLink(ring.value, { approval: id, tenant: gate.tenant, user: gate.user, expiresAt })}`;
}

/** As somebody without a key. */
const visit = (gate: Gateway, path: string, init: RequestInit = {}) =>
  gate.fetch(path, { ...init, headers: { authorization: "", ...init.headers } });
const post = (gate: Gateway, path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  visit(gate, path, {
    method: "POST",
    body: new URLSearchParams(form).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  });
const heading = (page: string) => /<h1>(.*)<\/h1>/.exec(page)?.[1];

describe("the page of a link", () => {
  it("shows the call to whoever holds the link, and nobody is told where it is", async () => {
    const gate = await linked();
    const args = { path: "notes.txt", token: "sk-very-secret" };
    const approval = await asked(gate, { arguments: args, redact: ["token"] });
    const response = await visit(gate, linkOf(gate, approval));
    expect(response.status).toBe(200);
    const page = await response.text();
    expect(heading(page)).toBe("Write <code>notes.txt</code>?");
    expect(page).toContain("notes.txt");
    expect(page).toContain(approval.code);
    // Whoever holds the link answers as the user, and must know what to.
    expect(page).toContain("<pre>\nsk-very-secret</pre>");
    expect(page).not.toContain("`");
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "referrer-policy": "strict-origin",
      "cache-control": "no-store",
      "x-robots-tag": expect.stringContaining("noindex"),
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'/),
    });
    expect(response.headers.get("content-security-policy")).not.toContain("script");
  });

  it("leaves the link itself in no log, count or timing", async () => {
    const log = captureLog();
    const gate = await linked(one, { variables: { SIGNING_KEYS: one, METRICS: "1", METRICS_INTERVAL: "0s" } });
    const token =
      linkOf(gate, await asked(gate))
        .split("/")
        .at(-1) ?? "";
    for (const path of [`/approve/${token}`, `/approve/${token}x`, `/approve/${token}/x`]) {
      await visit(gate, path);
      await post(gate, path, { action: "approve", reason: "words of mine" });
    }
    await gate.settle();
    const metrics = await (await gate.fetch("/metrics", { key: await gate.operatorKey() })).text();
    expect(log.text() + metrics).toContain("/approve/:token");
    expect(log.text() + metrics).not.toMatch(new RegExp(`${token.slice(0, 40)}|words of mine`));
  });

  it("fetched, however often and by whatever, decides nothing", async () => {
    const gate = await linked();
    const approval = await asked(gate);
    const link = linkOf(gate, approval);
    for (const method of ["GET", "HEAD"]) {
      for (const query of ["", "?action=approve", "?action=deny&reason=no"]) {
        const headers = { "user-agent": "Slackbot-LinkExpanding 1.0", purpose: "prefetch", "sec-purpose": "prefetch" };
        const response = await visit(gate, link + query, { method, headers });
        expect(response.status).toBe(200);
        if (method === "HEAD") expect(await response.text()).toBe("");
      }
    }
    expect(await approvalsOf(gate).find(approval.id)).toEqual(approval);
  });

  it("is not there where no keys are set", async () => {
    const gate = await gateway();
    const approval = await asked(gate);
    expect((await visit(gate, linkOf(gate, approval))).status).toBe(401);
    expect((await post(gate, linkOf(gate, approval), { action: "approve" })).status).toBe(401);
    expect(await statusOf(gate, approval)).toBe("pending");
  });

  it("other origins' pages cannot read, though the settings let them call the gateway", async () => {
    const gate = await gateway({ variables: { SIGNING_KEYS: one, CORS_ORIGINS: "*" } });
    const link = linkOf(gate, await asked(gate));
    const response = await visit(gate, link, { headers: { origin: "https://evil.example" } });
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    const preflight = { origin: "https://evil.example", "access-control-request-method": "POST" };
    const asking = await visit(gate, link, { method: "OPTIONS", headers: preflight });
    expect(asking.headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("the button of a link", () => {
  it("approves the call as the user's own answer, and the record says so", async () => {
    const gate = await linked();
    const approval = await asked(gate, { channel: "hold" });
    const response = await post(gate, linkOf(gate, approval), { action: "approve", reason: "left by mistake" });
    expect(response.status).toBe(200);
    const page = await response.text();
    expect(heading(page)).toBe("Approved");
    expect(page).toContain("The chat goes on by itself.");
    expect(await approvalsOf(gate).find(approval.id)).toMatchObject({
      status: "approved",
      usedBy: null,
      answer: { action: "approve", via: "link", by: "ada", reason: null },
    });
    expect(await events(gate)).toMatchObject([{ event: "asked" }, { event: "approved", via: "link", by: "ada" }]);
  });

  it("approves a long value only with the box that says that it was read", async () => {
    const gate = await linked();
    const approval = await asked(gate, { arguments: { path: "notes.txt", text: "line\n".repeat(40) } });
    const link = linkOf(gate, approval);
    expect(await (await visit(gate, link)).text()).toContain('name="read" value="1" required');
    expect((await post(gate, link, { action: "approve" })).status).toBe(400);
    expect(await statusOf(gate, approval)).toBe("pending");
    expect((await post(gate, link, { action: "approve", read: "1" })).status).toBe(200);
    expect(await statusOf(gate, approval)).toBe("approved");
  });

  it("denies it, with the reason", async () => {
    const gate = await linked();
    const approval = await asked(gate);
    const reason = `not <b>that</b> file ${"x".repeat(1100)}`;
    const page = await (await post(gate, linkOf(gate, approval), { action: "deny", reason })).text();
    expect(heading(page)).toBe("Denied");
    expect(page).toContain("not &lt;b&gt;that&lt;/b&gt; file");
    const { status, answer } = (await approvalsOf(gate).find(approval.id)) as Approval;
    expect(status).toBe("denied");
    expect(answer?.reason).toBe(reason.slice(0, 1000));
  });

  it("decides once: later it says what was decided, and changes nothing", async () => {
    const gate = await linked();
    const approval = await asked(gate);
    const link = linkOf(gate, approval);
    await post(gate, link, { action: "deny", reason: "no" });
    const after = await approvalsOf(gate).find(approval.id);
    for (const [form, status] of [
      [{ action: "deny", reason: "no" }, 200],
      [{ action: "approve" }, 409],
      [{ action: "deny", reason: "other" }, 409],
    ] as const) {
      const response = await post(gate, link, form);
      expect(response.status).toBe(status);
      expect(heading(await response.text())).toBe("Denied");
    }
    expect(heading(await (await visit(gate, link)).text())).toBe("Denied");
    expect(await approvalsOf(gate).find(approval.id)).toEqual(after);
    expect((await events(gate)).map(({ event }) => event)).toEqual(["asked", "denied"]);
  });

  it("says what was answered elsewhere, or cancelled", async () => {
    const gate = await linked();
    const answered = await asked(gate);
    await approvalsOf(gate).answer(answered.id, { action: "approve", via: "api", by: "ada", reason: null });
    const response = await post(gate, linkOf(gate, answered), { action: "deny" });
    expect([response.status, heading(await response.text())]).toEqual([409, "Approved"]);
    const cancelled = await asked(gate, { session: "other" });
    await gate.guard.sessions.delete("other");
    const late = await post(gate, linkOf(gate, cancelled), { action: "approve" });
    expect([late.status, heading(await late.text())]).toEqual([409, "Cancelled"]);
    expect(await statusOf(gate, cancelled)).toBe("cancelled");
  });

  it("pressed fifty times at once, in two ways, decides once, and every page tells the same", async () => {
    const gate = await linked();
    const approval = await asked(gate);
    const link = linkOf(gate, approval);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => post(gate, link, { action: n % 2 === 0 ? "approve" : "deny" })),
    );
    const headings = new Set(await Promise.all(answers.map(async (answer) => heading(await answer.text()))));
    expect(headings.size).toBe(1);
    expect(answers.filter(({ status }) => status === 200).length).toBe(25);
    expect((await events(gate)).length).toBe(2);
  });

  it("answers its own call alone", async () => {
    const gate = await linked();
    const [first, second] = [await asked(gate), await asked(gate, { session: "other" })];
    await post(gate, linkOf(gate, first), { action: "approve" });
    expect([await statusOf(gate, first), await statusOf(gate, second)]).toEqual(["approved", "pending"]);
    // Of another user's object, the same approval's id means nothing.
    const other = await linked();
    const stranger = await post(gate, linkOf(other, second), { action: "approve" });
    expect([stranger.status, await statusOf(gate, second)]).toEqual([404, "pending"]);
  });

  it("after its time answers nothing", async () => {
    const gate = await linked();
    const approval = await asked(gate);
    const link = linkOf(gate, approval);
    vi.useFakeTimers({ toFake: ["Date"], now: approval.expiresAt });
    const pages = [await visit(gate, link), await post(gate, link, { action: "approve" })];
    for (const page of pages) expect([page.status, heading(await page.text())]).toEqual([410, "This link has expired"]);
    // Neither does a link that somebody's clock still holds for good.
    const forever = linkOf(gate, { ...approval, expiresAt: approval.expiresAt + 3600_000 });
    const late = await post(gate, forever, { action: "approve" });
    expect([late.status, heading(await late.text())]).toEqual([410, "Expired"]);
    expect(await statusOf(gate, approval)).toBe("expired");
  });

  it("takes a form of its own page alone", async () => {
    const gate = await linked();
    const approval = await asked(gate);
    const link = linkOf(gate, approval);
    const refused = async (headers: Record<string, string>, form: Record<string, string> = { action: "approve" }) => {
      const { status } = await post(gate, link, form, headers);
      expect(await statusOf(gate, approval)).toBe("pending");
      return status;
    };
    for (const site of ["cross-site", "same-site", "none", "x"])
      expect(await refused({ "sec-fetch-site": site })).toBe(403);
    expect(await refused({ origin: "https://evil.example" })).toBe(403);
    expect(await refused({ origin: "https://evil.example", "sec-fetch-site": "same-origin" })).toBe(403);
    expect(await refused({ origin: `${origin}:8443` })).toBe(403);
    expect(await refused({ origin: "null" })).toBe(403);
    for (const type of ["application/json", "text/plain", "multipart/form-data; boundary=x", ""])
      expect(await refused({ "content-type": type })).toBe(415);
    expect(await refused({}, { action: "edit" })).toBe(400);
    expect(await refused({}, {})).toBe(400);
    expect(await refused({}, { action: "approve", reason: "x".repeat(20_000) })).toBe(413);
    const twice = { method: "POST", body: "action=approve&action=deny" };
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    expect((await visit(gate, link, { ...twice, headers })).status).toBe(400);
    expect(await statusOf(gate, approval)).toBe("pending");
    const own = { origin: "null", "sec-fetch-site": "same-origin" };
    expect((await post(gate, link, { action: "approve" }, own)).status).toBe(200);
    for (const same of [origin, "https://tools.example"])
      expect((await post(gate, link, { action: "approve" }, { origin: same })).status).toBe(200);
  });
});

describe("a link that was changed", () => {
  it("is refused whichever byte it was, and the object is not even asked", async () => {
    const gate = await linked(one, {
      variables: { SIGNING_KEYS: one, USER_GUARD: unreachable },
    });
    const approval = await asked(gate);
    const link = linkOf(gate, approval);
    // That it would be asked: the link itself.
    expect((await post(gate, link, { action: "approve" })).status).toBe(503);
    for (let at = "/approve/".length; at < link.length; at++) {
      const other = link[at] === "A" ? "B" : "A";
      const changed = link.slice(0, at) + other + link.slice(at + 1);
      expect((await post(gate, changed, { action: "approve" })).status).toBe(404);
      expect((await visit(gate, link.slice(0, at) + link.slice(at + 1))).status).not.toBe(503);
      // Another spelling of the same path.
      const escaped = `%${(link.charCodeAt(at) as number).toString(16)}`;
      expect((await visit(gate, link.slice(0, at) + escaped + link.slice(at + 1))).status).toBe(404);
    }
    expect(await statusOf(gate, approval)).toBe("pending");
  });

  it("is refused in the browser's language", async () => {
    const gate = await linked();
    const response = await visit(gate, "/approve/none", { headers: { "accept-language": "ja" } });
    expect([response.status, heading(await response.text())]).toEqual([404, "このリンクは無効です"]);
  });
});

it("while keys overlap a link of the old one works, afterwards it does not", async () => {
  const gate = await linked(`${two},${one}`);
  const approval = await asked(gate);
  expect((await visit(gate, linkOf(gate, approval, one))).status).toBe(200);
  expect((await visit(gate, linkOf(gate, approval, two))).status).toBe(200);
  const after = await linked(two);
  const there = { ...gate, fetch: after.fetch };
  expect((await visit(there, linkOf(gate, approval, one))).status).toBe(404);
  expect((await visit(there, linkOf(gate, approval, two))).status).toBe(200);
});

it("operators of the gateway are told whom it tells, and with which secret; others are not", async () => {
  const url = "https://hooks.example/a";
  const WEBHOOKS = JSON.stringify([{ url, tenant: "acme" }]);
  const gate = await gateway({ variables: { SIGNING_KEYS: `${two},${one}`, WEBHOOKS } });
  for (const role of ["user", "admin"])
    expect((await gate.fetch("/admin/webhooks", { key: await gate.keyFor("x", role) })).status).toBe(403);
  const response = await gate.fetch("/admin/webhooks", { key: await gate.operatorKey() });
  expect(response.headers.get("cache-control")).toBe("no-store");
  const secret = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(await response.json()).toMatchObject({
    object: "list",
    data: [
      {
        url,
        tenant: "acme",
        events: ["approval.asked", "approval.answered", "approval.ended"],
        secrets: [
          { key: "k2", secret },
          { key: "k1", secret },
        ],
      },
    ],
  });
});

/** An object that cannot be reached. */
const unreachable = {
  idFromName: (name: string) => env.USER_GUARD.idFromName(name),
  get: () => {
    throw new Error("no object");
  },
} as unknown as typeof env.USER_GUARD;

/** What the object has put down to be recorded of approvals. */
async function events(gate: Gateway): Promise<Record<string, unknown>[]> {
  return runInGuard(gate.stub, (_, { storage }) =>
    storage.sql
      .exec<{ sealed: string }>("SELECT sealed FROM outbox ORDER BY seq")
      .toArray()
      .map(({ sealed }) => (JSON.parse(sealed) as { record: Record<string, unknown> }).record)
      .filter(({ kind }) => kind === "approval"),
  );
}
