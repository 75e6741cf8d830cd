/**
 * Answers that no person would give: no 500, no hang, and no call that does not fit, or that nobody approved.
 * @module-tag attack/answers
 */
import fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
import { askApproval, guardOf } from "../approvals/asked-approval.ts";
import { changed, changes, expectSound, oddValue } from "../support/fuzz.ts";
import { type Gateway, gateway } from "../support/gateway.ts";

const policy = {
  tools: { edit_note: { category: "modification", redact: ["content"] }, send_mail: { category: "external" } },
};
const GRANT = { until: "8h", arguments: { title: { equals: "plan" } } };
const bodies = [
  { action: "approve" },
  { action: "deny", reason: "not now" },
  { action: "approve", grant: GRANT },
  { action: "edit", arguments: { title: "new", content: "[redacted]" } },
  { action: "edit", unset: ["content"], grant: { until: "session" } },
];

let gate: Gateway;
beforeEach(async () => {
  gate = await gateway({ policy });
});

/** What may have become of a call that was asked about: whatever the body, it is one of these, and is bound to its arguments. */
async function expectBound(id: string, original: string): Promise<void> {
  const kept = await guardOf(gate.tenant).approvals.find(id);
  expect(["pending", "approved", "denied"]).toContain(kept?.status);
  if (kept?.answer?.action !== "edit") return expect(kept?.arguments).toBe(original);
  const { title, content, ...others } = JSON.parse(kept.arguments) as Record<string, unknown>;
  expect([typeof title, others]).toEqual(["string", {}]);
  expect(String(title).length >= 1 && [...String(title)].length <= 40).toBe(true);
  expect(["undefined", "string"]).toContain(typeof content);
  expect(content).not.toBe("[redacted]");
}

/** A grant that stands, or too many calls that wait, and the next call would not be asked about. */
async function clear(): Promise<void> {
  await gate.fetch("/v1/sessions/s", { method: "DELETE" });
  for (const { id } of await guardOf(gate.tenant).grants.list())
    await gate.fetch(`/v1/grants/${id}`, { method: "DELETE" });
}

const post = (id: string, body: BodyInit) => expectSound(gate, `/v1/approvals/${id}`, { method: "POST", body });

it("the answers that are changed are good ones", async () => {
  for (const body of bodies) {
    const { id } = await askApproval({ tenant: gate.tenant });
    expect((await post(id, JSON.stringify(body)))?.status).toBe(200);
    await clear();
  }
});

it("bodies: members set, dropped, doubled and added", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...bodies), changes, async (body, list) => {
      const { id, arguments: original } = await askApproval({ tenant: gate.tenant });
      const answer = await post(id, changed(body, list));
      const status = (await guardOf(gate.tenant).approvals.find(id))?.status;
      expect(status === "pending").toBe(answer?.status !== 200);
      await expectBound(id, original);
      await clear();
    }),
    { numRuns: 250 },
  );
});

it("edits and grants: odd values", async () => {
  const name = fc.constantFrom("title", "content", "__proto__", "constructor", "toString", "x", "");
  const condition = fc.oneof(
    fc.record({ equals: oddValue }),
    fc.record({ matches: fc.oneof(fc.string(), fc.constantFrom(".*", "(a+)+$", "(?=a)", "\\p{L}*", "x{1000}{1000}")) }),
    oddValue,
  );
  const odd = fc.record(
    {
      action: fc.constantFrom("edit", "approve"),
      arguments: fc.dictionary(name, oddValue, { maxKeys: 3 }),
      unset: fc.array(name, { maxLength: 3 }),
      grant: fc.record({
        until: fc.oneof(fc.constantFrom("session", "withdrawn", "8h", "99999999d", "0s", "-1h"), oddValue),
        arguments: fc.dictionary(name, condition, { maxKeys: 3 }),
      }),
    },
    { requiredKeys: ["action"] },
  );
  await fc.assert(
    fc.asyncProperty(odd, async (body) => {
      const { id, arguments: original } = await askApproval({ tenant: gate.tenant });
      await post(id, JSON.stringify(body));
      await expectBound(id, original);
      await expectSound(gate, "/v1/grants", {});
      await clear();
    }),
    { numRuns: 250 },
  );
});

it("bodies: no JSON at all", async () => {
  const { id } = await askApproval({ tenant: gate.tenant });
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string({ unit: "binary" }), fc.json(), fc.uint8Array()), async (body) => {
      expect((await post(id, body as BodyInit))?.status).toBe(400);
    }),
    { numRuns: 150 },
  );
  expect((await guardOf(gate.tenant).approvals.find(id))?.status).toBe("pending");
});

it("other routes: odd ids, queries, methods and bodies", async () => {
  const segment = fc.oneof(
    fc.string({ unit: "binary-ascii", maxLength: 20 }).map(encodeURIComponent),
    fc.constantFrom("%00", "..", "%2F", "__proto__", "a".repeat(300), "%E0%A4%A", `appr_${"z".repeat(26)}`),
  );
  const route = fc.constantFrom(
    "/v1/approvals/",
    "/v1/approvals?after=",
    "/v1/approvals?status=",
    "/v1/approvals?scope=tenant&after=",
    "/v1/approvals?scope=tenant&tenant=",
    "/v1/grants/",
    "/v1/grants?x=",
    "/v1/gates/",
    "/v1/gates?x=",
    "/v1/gates",
  );
  const method = fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE");
  const admin = await gate.keyFor("boss", "admin");
  await fc.assert(
    fc.asyncProperty(route, segment, method, changes, async (prefix, id, verb, list) => {
      const body = verb === "GET" ? undefined : changed({ tool: "send_mail", session_id: "s", action: "deny" }, list);
      const path = prefix === "/v1/gates" ? prefix : prefix + id;
      await expectSound(gate, path, { method: verb, body, headers: { authorization: `Bearer ${admin}` } });
    }),
    { numRuns: 300 },
  );
});
