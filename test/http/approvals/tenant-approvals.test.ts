/** What operators are told where a user's object cannot tell. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Approval } from "../../../src/approvals/approval.ts";
import { tenantViews } from "../../../src/http/approvals/tenant-approvals.ts";
import type { ApprovalRecord } from "../../../src/ports/audit-record.ts";
import type { IndexedApproval } from "../../../src/stores/audit/d1-approvals.ts";
import type { UserGuardApis } from "../../../src/stores/guard/guard-apis.ts";
import { disclosureOf } from "../../support/disclosure.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => vi.restoreAllMocks());

const record = (user: string, more: Partial<ApprovalRecord> = {}) =>
  ({
    approval: `appr_${user}`,
    event: "asked",
    user,
    tool: "edit_note",
    at: 1_000,
    expiresAt: 2_000,
    asks: ["confirmation_required"],
    arguments: { title: "plan" },
    disclosure: "It edits a note.\n  title: plan",
    via: null,
    by: null,
    reason: null,
    ...more,
  }) as ApprovalRecord;
const indexed = (user: string, ended?: Partial<ApprovalRecord>): IndexedApproval => ({
  id: `appr_${user}`,
  user,
  status: "pending",
  question: record(user),
  ended: ended && (record(user, ended) as IndexedApproval["ended"]),
});
/** Its objects know nothing, but for Ada's; Bob's fails. */
const asked: string[] = [];
const guardOf = ({ user }: { user: string }) =>
  ({
    approvals: {
      async wait(ids: readonly string[], waitMs: number) {
        asked.push(user);
        expect(waitMs).toBe(0);
        if (user === "bob") throw new Error("unreachable");
        const known = { disclosure: disclosureOf(), asks: [], recorded: {}, arguments: "{}", status: "denied" };
        const times = { askedAt: 1, expiresAt: 2, answeredAt: null };
        return user === "ada" ? ids.map((id) => ({ id, ...known, ...times }) as unknown as Approval) : [];
      },
    },
  }) as unknown as UserGuardApis;

const reader = { audience: "recorded", language: undefined } as const;

it("is what the trail has, and the order of the list stays", async () => {
  const list = [indexed("bob"), indexed("ada"), indexed("carol"), indexed("ada")];
  const views = await tenantViews("t", list, { guardOf }, reader);
  expect(views.map(({ id }) => id)).toEqual(["appr_bob", "appr_ada", "appr_carol", "appr_ada"]);
  expect(views.map(({ user }) => user)).toEqual(["bob", "ada", "carol", "ada"]);
  expect(views.map(({ status }) => status)).toEqual(["pending", "denied", "pending", "denied"]);
  expect(views[0]).toMatchObject({
    details: {
      summary: "It edits a note.",
      effects: [{ kind: "note", text: "  title: plan" }],
      arguments: [{ name: "title", value: "plan", redacted: false }],
    },
    editable: false,
  });
  expect(asked.sort()).toEqual(["ada", "bob", "carol"]);
});

it.each([
  ["denied", "deny"],
  ["edited", "edit"],
  ["approved", "approve"],
] as const)("tells of an approval that was %s who did it", async (event, action) => {
  const end = { event, via: "link", by: "boss", reason: null, at: 1_500, arguments: { title: "new" } } as const;
  const [view] = await tenantViews("t", [indexed("bob", end)], { guardOf }, reader);
  expect(view).toMatchObject({
    answer: { action, via: "link", by: "boss" },
    answered_at: "1970-01-01T00:00:01.500Z",
    arguments: { title: event === "edited" ? "new" : "plan" },
  });
});

it("tells of one that ended without an answer that there is none", async () => {
  const [view] = await tenantViews("t", [indexed("carol", { event: "expired" })], { guardOf }, reader);
  expect(view).toMatchObject({ answer: null, answered_at: null });
});
