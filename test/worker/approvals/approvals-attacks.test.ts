/**
 * Attacks on approvals by who they are not for: nothing of another is read, answered or listened to.
 * @module-tag attack/answers
 */
import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { Approval } from "../../../src/approvals/approval.ts";
import { createKey } from "../../../src/auth/kv-keys.ts";
import type { ApiKey } from "../../../src/ports/api-key.ts";
import { type Gateway, gateway } from "../support/gateway.ts";
import { askApproval, guardOf } from "./asked-approval.ts";

const tools = { edit_note: { category: "modification", redact: ["content"] } };
const open = (confirmation: object = {}) => gateway({ policy: { tools, confirmation } });

async function keyOf(owner: Partial<ApiKey> & Pick<ApiKey, "tenant" | "user">): Promise<string> {
  return (await createKey(env.KV, { role: "user", connections: [], ...owner }, Date.now())).token;
}
const told = async (answer: Response): Promise<[number, string | undefined]> => [
  answer.status,
  ((await answer.json()) as { error?: { code: string } }).error?.code,
];
const stateOf = async (gate: Gateway, { id }: Approval) => (await guardOf(gate.tenant).approvals.find(id))?.status;

/** Reads and answers of one approval, each of which its own user would get. */
const requests: readonly (readonly [method: string, body: object | undefined])[] = [
  ["GET", undefined],
  ["POST", { action: "approve" }],
  ["POST", { action: "deny", reason: "no" }],
  ["POST", { action: "edit", arguments: { title: "mine" } }],
  ["POST", { action: "approve", grant: { until: "withdrawn" } }],
];
const attempts = (gate: Gateway, { id }: Approval, key: string, query = "") =>
  Promise.all(
    requests.map(async ([method, json]) =>
      told(await gate.fetch(`/v1/approvals/${id}${query}`, { method, json, key })),
    ),
  );
const all = (answer: readonly [number, string]) => requests.map(() => answer);

describe("another's approval", () => {
  it("is what its own user reads and answers, so that the refusals below are theirs", {
    tags: ["control"],
  }, async () => {
    const gate = await open();
    for (const [method, json] of requests) {
      const { id } = await askApproval({ tenant: gate.tenant });
      expect((await gate.fetch(`/v1/approvals/${id}`, { method, json })).status).toBe(200);
    }
  });

  it.each<[string, (tenant: string) => Partial<ApiKey> & Pick<ApiKey, "tenant" | "user">]>([
    ["a user of the tenant", (tenant) => ({ tenant, user: "bob" })],
    ["a user whose name looks alike", (tenant) => ({ tenant, user: "Ada" })],
    ["a premium user of the tenant", (tenant) => ({ tenant, user: "bob", role: "premium" })],
    ["an anonymous admin", (tenant) => ({ tenant, user: "visitor", role: "admin", anonymous: true })],
    ["the same name in another tenant", (tenant) => ({ tenant: `${tenant}-other`, user: "ada" })],
    ["an admin of another tenant", (tenant) => ({ tenant: `${tenant}-other`, user: "boss", role: "admin" })],
    [
      "an operator who does not name the tenant",
      (tenant) => ({ tenant: `${tenant}-other`, user: "op", role: "admin", operator: true }),
    ],
  ])("is an unknown id to %s", async (_who, owner) => {
    const gate = await open({ approvers: "userOrOperator" });
    const asked = await askApproval({ tenant: gate.tenant });
    await gate.decisions();
    expect(await attempts(gate, asked, await keyOf(owner(gate.tenant)))).toEqual(all([404, "not_found"]));
    expect(await stateOf(gate, asked)).toBe("pending");
  });

  it.each<[string, (tenant: string) => Partial<ApiKey> & Pick<ApiKey, "tenant" | "user">, string]>([
    [
      "an admin of another",
      (tenant) => ({ tenant: `${tenant}-other`, user: "boss", role: "admin" }),
      "tenant_forbidden",
    ],
    ["a user of another", (tenant) => ({ tenant: `${tenant}-other`, user: "ada" }), "admin_required"],
    ["a user of its own", (tenant) => ({ tenant, user: "bob" }), "admin_required"],
    [
      "an anonymous admin of its own",
      (tenant) => ({ tenant, user: "v", role: "admin", anonymous: true }),
      "admin_required",
    ],
  ])("is not reached by naming the tenant, for %s", async (_who, owner, code) => {
    const gate = await open({ approvers: "userOrOperator" });
    const asked = await askApproval({ tenant: gate.tenant });
    await gate.decisions();
    const key = await keyOf(owner(gate.tenant));
    expect(await attempts(gate, asked, key, `?tenant=${gate.tenant}`)).toEqual(all([403, code]));
    const scoped = `?scope=tenant&tenant=${gate.tenant}`;
    for (const path of [`/v1/approvals${scoped}`, `/v1/approvals/events${scoped}`])
      expect(await told(await gate.fetch(path, { key }))).toEqual([403, code]);
    expect(await stateOf(gate, asked)).toBe("pending");
  });

  it("is in no list of theirs", async () => {
    const gate = await open();
    await askApproval({ tenant: gate.tenant });
    await gate.decisions();
    const bob = await gate.keyFor("bob", "user");
    expect(await (await gate.fetch("/v1/approvals", { key: bob })).json()).toMatchObject({ data: [] });
    expect(await told(await gate.fetch("/v1/approvals?scope=tenant", { key: bob }))).toEqual([403, "admin_required"]);
    expect(await told(await gate.fetch("/v1/approvals/events?scope=tenant", { key: bob }))).toEqual([
      403,
      "admin_required",
    ]);
    const boss = await keyOf({ tenant: `${gate.tenant}-other`, user: "boss", role: "admin" });
    const theirs = await gate.fetch("/v1/approvals?scope=tenant", { key: boss });
    expect(await theirs.json()).toMatchObject({ data: [] });
  });

  it("is reached by a service key for the user that it names alone", async () => {
    const gate = await open();
    const asked = await askApproval({ tenant: gate.tenant });
    const key = await keyOf({ tenant: gate.tenant, user: "backend", actsFor: true });
    const as = (user: string) => ({ key, headers: { "x-toolgate-user": user } });
    expect((await gate.fetch(`/v1/approvals/${asked.id}`, as("bob"))).status).toBe(404);
    expect((await gate.fetch(`/v1/approvals/${asked.id}`, as("ada"))).status).toBe(200);
    expect((await gate.fetch(`/v1/approvals/${asked.id}`, { key })).status).toBe(400);
  });

  it("is nobody's without a key", async () => {
    const gate = await open();
    const { id } = await askApproval({ tenant: gate.tenant });
    for (const path of ["", `/${id}`, "/events"]) {
      const answer = await gate.fetch(`/v1/approvals${path}`, { headers: { authorization: "Bearer tg_nothing" } });
      expect(await told(answer)).toEqual([401, "invalid_api_key"]);
    }
  });
});

describe("an admin of the tenant", () => {
  async function asked(confirmation: object = {}) {
    const gate = await open(confirmation);
    const approval = await askApproval({ tenant: gate.tenant });
    await gate.decisions();
    return { gate, approval, path: `/v1/approvals/${approval.id}`, key: await gate.keyFor("boss", "admin") };
  }

  it("lists what waits for everybody, and reads each", { tags: ["control"] }, async () => {
    const { gate, approval, path, key } = await asked();
    const list = async (query = "") =>
      (await (await gate.fetch(`/v1/approvals?scope=tenant${query}`, { key })).json()) as { data: unknown[] };
    const whole = { code: approval.code, schema: { type: "object" }, details: { summary: "" } };
    const row = {
      ...whole,
      id: approval.id,
      user: "ada",
      status: "pending",
      tool: "edit_note",
      disclosure: expect.stringMatching(/^Edit a note: `plan`\?\n {2}title: plan\n {2}content: \[redacted\]/),
    };
    expect(await list()).toMatchObject({ object: "list", first_id: approval.id, has_more: false, data: [row] });
    expect(await list("&status=denied")).toMatchObject({ data: [] });
    expect(await (await gate.fetch(path, { key })).json()).toMatchObject(row);
    expect(JSON.stringify([await list(), await (await gate.fetch(path, { key })).json()])).not.toContain(
      "secret words",
    );
    const operator = await gate.operatorKey();
    const named = `?tenant=${gate.tenant}`;
    expect((await gate.fetch(`/v1/approvals${named}&scope=tenant`, { key: operator })).status).toBe(200);
    expect((await gate.fetch(path + named, { key: operator })).status).toBe(200);
    expect(await told(await gate.fetch("/v1/approvals?scope=tenant&after=appr_x", { key }))).toEqual([
      400,
      "invalid_value",
    ]);
  });

  it("denies any of them, by name", { tags: ["control"] }, async () => {
    const { gate, approval, path, key } = await asked();
    const answer = await gate.fetch(path, { json: { action: "deny", reason: "not now" }, key });
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { status: "denied", user: "ada", answer: { action: "deny", by: "boss", reason: "not now" } },
    ]);
    expect(await stateOf(gate, approval)).toBe("denied");
    await gate.decisions();
    const list = await gate.fetch("/v1/approvals?scope=tenant&status=denied", { key });
    expect(await list.json()).toMatchObject({ data: [{ id: approval.id, answer: { by: "boss", reason: "not now" } }] });
  });

  it("approves none, nor edits one, unless the policy says so", async () => {
    const { gate, approval, path, key } = await asked();
    for (const json of [{ action: "approve" }, { action: "edit", arguments: { title: "mine" } }])
      expect(await told(await gate.fetch(path, { json, key }))).toEqual([403, "approval_not_yours"]);
    expect(await stateOf(gate, approval)).toBe("pending");
  });

  it("approves where the policy says so, but gives no grant in another's name", async () => {
    const { gate, approval, path, key } = await asked({ approvers: "userOrOperator" });
    const granting = { action: "approve", grant: { until: "withdrawn" } };
    expect(await told(await gate.fetch(path, { json: granting, key }))).toEqual([403, "approval_not_yours"]);
    expect(await stateOf(gate, approval)).toBe("pending");
    const answer = await gate.fetch(path, { json: { action: "approve" }, key });
    expect(await answer.json()).toMatchObject({ status: "approved", answer: { by: "boss" } });
  });

  it("answers their own as any user does", { tags: ["control"] }, async () => {
    const gate = await open();
    const key = await gate.keyFor("boss", "admin");
    const { id } = await askApproval({ tenant: gate.tenant, user: "boss" });
    const answer = await gate.fetch(`/v1/approvals/${id}`, { json: { action: "approve" }, key });
    expect(await answer.json()).toMatchObject({ status: "approved", answer: { by: "boss" } });
  });
});
