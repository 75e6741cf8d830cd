/** What operators' pages show of figures and texts that a seeded gateway does not have; pictures go to node_modules/.cache/toolgate/screenshots. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DecisionRow, SummaryView, TurnRow, VerificationView } from "../../src/api-views/trail-views.ts";
import { tooSmall, violations } from "./accessibility.ts";
import { hasChromium } from "./chromium.ts";
import { shoot } from "./shots.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  if (hasChromium) stage = await openStage();
});
afterAll(async () => stage?.close());

/** A browser in German: the page has no German, so it is in English, with its numbers. */
const german = { viewport: { width: 1280, height: 900 }, locale: "de-DE" };

/** @param replies of the API, by path. */
async function enter(path: string, replies: Readonly<Record<string, unknown>>) {
  const opened = await stage.enter(german, (fake) => {
    fake.me = { ...fake.me, role: "admin", operator: true, sees_tenant: true };
  });
  await opened.page.route(/\/(v1\/audit\/|health|admin\/)/, (route) => {
    const { pathname } = new URL(route.request().url());
    return route.fulfill({ json: replies[pathname] ?? { data: [], has_more: false } });
  });
  await opened.page.goto(path);
  return opened;
}

const at = "2026-11-27T09:00:00.000Z";
const pattern = `(${Array.from({ length: 60 }, (_, n) => `(storniere|cancel|lösche)\\s+(die\\s+)?buchung${n}`).join("|")})`;
const record = { user: "ada", session: "s1", hash: "h", at, seq: 1 };
const turn: TurnRow = {
  ...{
    ...record,
    object: "audit.turn",
    id: "turn_1",
    ended_at: "2026-11-27T09:00:02.000Z",
    model: "gpt",
    role: "user",
  },
  ...{ mode: "default", state_opened: "idle", state_closed: "action", intents: ["BOOKING_REMOVE"] },
  ...{ stop_reason: "completed", steps: 1, offered: ["cancel_booking"], withheld: [], error: null, policy: "v" },
  ...{ tokens_saved: -9440, usage: { total_tokens: 12_345 } },
  detection: {
    intents: [
      {
        name: "BOOKING_REMOVE",
        confidence: 0.963,
        layer: "patterns",
        evidence: [{ layer: "patterns", source: pattern, at: 0 }],
      },
    ],
    discounted: [],
  },
};
const decision: DecisionRow = {
  ...{ ...record, object: "audit.decision", id: "dec_1", turn: "turn_1", step: 1, ordinal: 0, tool: "cancel_booking" },
  ...{ effect: "deny", disposition: "refused", reasons: [{ code: "role_forbids", message: "no" }], arguments: {} },
  ...{ role: "user", mode: "default", policy: "v" },
};
const listOf = (...data: readonly unknown[]) => ({ data, has_more: false });

const figures: SummaryView = {
  ...{
    from: at,
    to: "2026-11-28T09:00:00.000Z",
    step_ms: 3_600_000,
    cut: false,
    turns: 1234,
    sessions: 7,
    users: 2,
  },
  ...{
    tasks: 3,
    tokens_saved: -9440,
    denied_by_person: 0,
    effects: { allow: 5, confirm: 1, deny: 2 },
    approvals: { asked: 1 },
    answer_ms: null,
  },
  ...{ refused: [], series: [] },
};

describe.skipIf(!hasChromium)("an operator's page", () => {
  test("of a session keeps a long pattern within the window, and says that a call was refused", async () => {
    const replies = { "/v1/audit/turns": listOf(turn), "/v1/audit/decisions": listOf(decision) };
    const { page, complaints } = await enter("/console/sessions/s1", replies);
    const heard = page.locator(".long-source");
    await heard.waitFor();
    const end = await page.locator(".turn-end").textContent();
    expect(end).toContain("one call refused");
    expect(end).toContain("12,345 tokens used, 9,440 added by the gateway");
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    expect(await width()).toBeLessThanOrEqual(1280);
    await shoot(page, "session-long-pattern");
    await heard.locator("summary").click();
    await heard.getByText(pattern, { exact: true }).waitFor();
    expect(await width()).toBeLessThanOrEqual(1280);
    expect(await violations(page)).toEqual([]);
    expect(await tooSmall(page)).toEqual([]);
    await shoot(page, "session-long-pattern-whole");
    expect(complaints).toEqual([]);
  });

  test("of figures names tokens that were added as such, with numbers in its own language", async () => {
    const { page } = await enter("/console/overview", { "/v1/audit/summary": figures, "/health": { audit: "ok" } });
    const figure = (name: string) => page.locator(".figure").filter({ hasText: name }).locator("strong");
    await page.getByText("Tokens added").waitFor();
    expect(await figure("Tokens added").textContent()).toBe("9,440");
    expect(await figure("Turns").textContent()).toBe("1,234");
    expect(await figure("Questions a task").textContent()).toBe("0.33");
    expect(await page.getByText("Tokens saved").count()).toBe(0);
    await shoot(page, "overview-tokens-added");
    expect(await violations(page)).toEqual([]);
  });

  test("of seals says which records were checked, what waits, and where a fault is", async () => {
    const whole: VerificationView = {
      ...{ ok: true, problem: null, head: {}, checkpoint_problem: null },
      ...{ from: 12, to: 40, next_after: null, waiting: 2 },
    };
    const { page } = await enter("/console/users?user=ada", { "/v1/audit/verify": whole });
    await page.getByRole("button", { name: "Check the seal" }).click();
    await page.getByText("Records 12 to 40 of this user are whole and unaltered. 2 are not delivered yet.").waitFor();
    expect(await violations(page)).toEqual([]);

    const record = { kind: "decision", id: "dec_1", session: "s1", turn: "turn_1" };
    const broken: VerificationView = {
      ...{ ...whole, ok: false, checkpoint_problem: "older" },
      problem: { kind: "altered", at: 14, message: "record 14 is not as it was sealed", record },
    };
    const replies = { "/v1/audit/verify": broken, "/v1/audit/chains": { data: [{ id: "ada" }], has_more: false } };
    const other = await enter("/console/audit", replies);
    await other.page.getByRole("button", { name: "Verify all users" }).click();
    await other.page.getByText("record 14 is not as it was sealed").waitFor();
    expect(await other.page.getByRole("link", { name: "See this record" }).getAttribute("href")).toBe(
      "/console/sessions/s1?turn=turn_1",
    );
    await other.page.reload();
    await other.page.getByText("1 of 1 chains did not hold").waitFor();
    await shoot(other.page, "audit-broken-chain");
    expect(await violations(other.page)).toEqual([]);
    expect(await tooSmall(other.page)).toEqual([]);
  });

  test("of a refused call leads to the rule and to a simulation of the call, which the address does not hold", async () => {
    const desk = {
      name: "desk",
      roles: ["guest", "user"],
      tools: { look: {}, cancel_booking: { roles: ["guest"] } },
    };
    const policy = { version: "v", document: desk, created_at: at, created_by: "ada" };
    const refused = { ...decision, arguments: { id: "B-7" } };
    const { page } = await enter("/console/audit", {
      "/v1/audit/decisions": { data: [refused], has_more: false },
      "/admin/policies/acme": policy,
      "/admin/policies/default": policy,
    });
    await page.locator(".record summary").first().click();
    const rule = page.getByRole("link", { name: "See the rule" });
    expect(await rule.getAttribute("href")).toBe("/console/policy?version=v&at=%2Ftools%2Fcancel_booking");
    await page.getByRole("button", { name: "Try it in a draft" }).click();
    await expect
      .poll(() => page.getByLabel("The model calls, one a line").inputValue())
      .toBe('cancel_booking {"id":"B-7"}');
    expect(await page.getByLabel("Role").inputValue()).toBe("user");
    expect(page.url()).not.toContain("B-7");
    const selected = () =>
      page.evaluate(() => document.querySelector(".editor")?.shadowRoot?.querySelector(".cm-activeLine")?.textContent);
    await expect.poll(selected).toContain('"cancel_booking"');
    expect(await violations(page)).toEqual([]);
  });

  test("of another time shows no figures of the time before, and asks again where nothing answered", async () => {
    const { page } = await enter("/console/overview", { "/v1/audit/summary": figures, "/health": { audit: "ok" } });
    await page.getByText("Tokens added").waitFor();
    await page.route(/audit\/summary/, (route) => route.abort());
    await page.getByRole("link", { name: "Month" }).click();
    await page.getByText("The gateway does not answer").waitFor();
    expect(await page.locator(".figure").count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await page.unroute(/audit\/summary/);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Tokens added").waitFor();
  });

  test("of changes names a version and whose key it was", async () => {
    const change = { ...record, object: "audit.change", by: "ada" };
    const version = "a2f5a0660501".padEnd(64, "0");
    const changes = [
      { ...change, id: "evt_1", event: "policy_put", subject: version },
      { ...change, id: "evt_2", event: "key_made", subject: "key_1" },
    ];
    const { page } = await enter("/console/audit?kind=changes", {
      "/v1/audit/changes": { data: changes, has_more: false },
      "/admin/keys": { data: [{ id: "key_1", user: "farid", role: "admin" }], has_more: false },
    });
    await page.locator(".record-why").getByText("farid (admin)").waitFor();
    await page.locator(".record summary").getByText("a2f5a0660501", { exact: true }).click();
    const link = page.getByRole("link", { name: "See this version" });
    expect(await link.getAttribute("href")).toBe(`/console/policy?version=${version}`);
    expect(await violations(page)).toEqual([]);
  });

  test("of a policy takes a draft back that was discarded", async () => {
    const policy = { version: "v", document: { name: "desk", tools: {} }, created_at: at, created_by: "ada" };
    const { page } = await enter("/console/policy", { "/admin/policies/acme": policy });
    const text = page.locator(".cm-content");
    await text.focus();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("// mine");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Discard the draft" }).click();
    await expect.poll(() => text.textContent()).not.toContain("mine");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => text.textContent()).toContain("// mine");
  });
});
