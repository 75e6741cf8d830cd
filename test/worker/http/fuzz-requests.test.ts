/**
 * Requests that no client would send: no 500, no hang, nothing released that was not vetted.
 * @module-tag attack/requests
 */
import fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
import { changed, changes, expectSound, fuzzed, REQUEST } from "../support/fuzz.ts";
import type { Gateway } from "../support/gateway.ts";

let gate: Gateway;
beforeEach(async () => {
  gate = await fuzzed();
});
const chat = (body: BodyInit, headers: Record<string, string> = {}) =>
  expectSound(gate, "/v1/chat/completions", { method: "POST", body, headers });

it("the request that is changed is a good one", async () => {
  const answer = await chat(JSON.stringify(REQUEST));
  expect(answer?.calls.map(({ name }) => name)).toEqual(["read_file", "list_dir"]);
});

it("bodies: members set, dropped, doubled and added", async () => {
  await fc.assert(
    fc.asyncProperty(changes, async (list) => {
      await chat(changed(REQUEST, list));
    }),
    { numRuns: 400 },
  );
});

it("bodies: bytes changed", async () => {
  const bytes = new TextEncoder().encode(JSON.stringify(REQUEST));
  const edit = fc.tuple(fc.nat(bytes.length - 1), fc.nat(255));
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 6 }), fc.nat(bytes.length), async (edits, length) => {
      const copy = bytes.slice(0, length < bytes.length / 8 ? length : bytes.length);
      for (const [at, value] of edits) if (at < copy.length) copy[at] = value;
      await chat(copy);
    }),
    { numRuns: 300 },
  );
});

it("bodies: no JSON at all", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string({ unit: "binary" }), fc.json(), fc.uint8Array()), async (body) => {
      const answer = await chat(body as BodyInit);
      expect(answer?.status).toBe(400);
    }),
    { numRuns: 150 },
  );
});

const headerName = fc.constantFrom(
  ...["session", "mode", "reset", "user", "role", "connections", "approvals", "policy", "upstream"].map(
    (name) => `x-toolgate-${name}`,
  ),
  ...["content-type", "accept", "traceparent", "x-stainless-retry-count", "x-upstream-authorization", "origin"],
  ...["openai-organization", "idempotency-key", "if-match", "cookie", "x-forwarded-host", "x-request-id", "expect"],
);
const headerValue = fc.oneof(
  fc.constantFrom(
    "none",
    "all",
    "default",
    "admin",
    "true",
    "%00",
    "%ud800",
    "%E0%A4%A",
    "__proto__",
    "*",
    "application/xml",
  ),
  fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength: 200 }),
  fc.constant("y".repeat(4_000)),
);

it("headers: odd values of those that we read, and of others", async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(headerName, headerValue, { maxKeys: 4 }), async (headers) => {
      await chat(JSON.stringify(REQUEST), headers);
    }),
    { numRuns: 250 },
  );
});

it("authorization: nothing but the key itself is let in", async () => {
  const near = fc.nat(gate.key.length - 1).map((at) => {
    const other = gate.key[at] === "A" ? "B" : "A";
    return `Bearer ${gate.key.slice(0, at)}${other}${gate.key.slice(at + 1)}`;
  });
  const odd = headerValue.map((value) => `Bearer ${value}`);
  await fc.assert(
    fc.asyncProperty(fc.oneof(near, odd, headerValue), async (authorization) => {
      const answer = await chat(JSON.stringify(REQUEST), { authorization });
      expect([400, 401, 413, 431]).toContain(answer?.status);
      expect(gate.sent).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

it("other routes: odd ids, queries, methods and bodies", async () => {
  const segment = fc.oneof(
    fc.string({ unit: "binary-ascii", maxLength: 20 }).map(encodeURIComponent),
    fc.constantFrom("s1", "read_file", "%00", "..", "%2e%2e", "%2F", "__proto__", "a".repeat(300), "%E0%A4%A"),
  );
  const route = fc.constantFrom(
    "/v1/sessions/",
    "/v1/gates/",
    "/v1/audit/turns?after=",
    "/v1/audit/decisions?limit=",
    "/v1/audit/decisions?tool=",
    "/v1/audit/decisions?approval=",
    "/v1/audit/approvals?event=",
    "/v1/audit/approvals?approval=",
    "/v1/models/",
    "/admin/keys/",
    "/admin/policies/",
    "/",
  );
  const method = fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");
  const admin = await gate.keyFor("operator", "admin");
  await fc.assert(
    fc.asyncProperty(route, segment, method, changes, async (prefix, id, verb, list) => {
      const body = verb === "GET" ? undefined : changed({ mode: "none", session_id: "s1" }, list);
      await expectSound(gate, prefix + id, { method: verb, body, headers: { authorization: `Bearer ${admin}` } });
    }),
    { numRuns: 400 },
  );
});
