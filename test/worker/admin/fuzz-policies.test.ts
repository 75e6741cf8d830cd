/**
 * Policies that nobody would write: accepted or refused, never a 500; and what is accepted can be served with.
 * @module-tag attack/policies
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import defaultPolicy from "../../../policies/default.json" with { type: "json" };
import { changed, changes, expectSound, fuzzed, oddValue, REQUEST } from "../support/fuzz.ts";

/** One of everything, so that a change meets every part of the reader. */
const EVERYTHING = {
  ...defaultPolicy,
  name: "fuzzed",
  modes: { default: { allow: ["*"], deny: ["rm_rf"] }, careful: { allow: ["category:read_only"], roles: ["admin"] } },
  roles: ["guest", "user", "admin"],
  families: { files: ["*_file", "list_dir"], web: ["web_*"] },
  tools: {
    read_file: { category: "read_only", parameters: { type: "object", properties: { path: { type: "string" } } } },
    list_dir: { category: "read_only", rateLimits: [{ max: 3, window: "1m" }] },
    "category:external": { confirm: "ask", injection: { sets: ["shell"], action: "deny", except: ["/a"] } },
    "family:web": { roles: ["user"], connection: "web" },
  },
  rateLimits: { "class:destructive": [{ max: 1, window: "1h" }] },
  injection: { sets: ["shell"], custom: { mine: ["a+b"] } },
  intents: {
    LOOK: {
      tools: ["read_file"],
      keywords: ["look"],
      patterns: ["(?i)look\\s+at"],
      families: { allowedFamilies: ["files"] },
    },
    CHAT: { tools: [] },
  },
  entities: { topic: { pattern: "about (.+)" } },
  confirmation: { channel: "inline", inlineExpiresAfter: "24h" },
};

it("the policy that is changed is a good one", async () => {
  const gate = await fuzzed();
  const admin = await gate.keyFor("operator", "admin");
  const path = `/admin/policies/${gate.tenant}`;
  const put = await gate.fetch(path, { method: "PUT", json: EVERYTHING, key: admin });
  expect(put.status).toBe(200);
});

it("documents: dry runs of changed ones answer 200 or name every error with its path", async () => {
  const gate = await fuzzed();
  const admin = await gate.keyFor("operator", "admin");
  const path = `/admin/policies/${gate.tenant}?dry_run=true`;
  const headers = { authorization: `Bearer ${admin}` };
  await fc.assert(
    fc.asyncProperty(changes, async (list) => {
      const answer = await expectSound(gate, path, { method: "PUT", headers, body: changed(EVERYTHING, list) });
      expect([200, 400, 413]).toContain(answer?.status);
      const { code, errors } = (answer?.body.error ?? {}) as { code?: string; errors?: { path: string }[] };
      if (code === "policy_invalid") expect(errors?.every((error) => typeof error.path === "string")).toBe(true);
    }),
    { numRuns: 300 },
  );
});

it("documents: what is accepted serves a turn, and releases nothing that its mode denies", async () => {
  const gate = await fuzzed();
  const admin = await gate.keyFor("operator", "admin");
  const path = `/admin/policies/${gate.tenant}`;
  const headers = { authorization: `Bearer ${admin}` };
  const part = fc.constantFrom(
    "tools",
    "families",
    "intents",
    "rateLimits",
    "handshake",
    "gates",
    "execution",
    "audit",
  );
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(part, oddValue, changes, async (name, value, list) => {
      const inner = JSON.parse(
        changed((EVERYTHING as Record<string, unknown>)[name] ?? value, list) || "{}",
      ) as unknown;
      const document = { ...EVERYTHING, modes: { default: { allow: ["read_file", "list_dir"] } }, [name]: inner };
      const put = await expectSound(gate, path, { method: "PUT", headers, body: JSON.stringify(document) });
      if (put?.status === 200) accepted += 1;
      await expectSound(gate, "/v1/chat/completions", { method: "POST", body: JSON.stringify(REQUEST) });
    }),
    { numRuns: 120 },
  );
  // Of 120, about a sixth: enough that the law is tried.
  expect(accepted).toBeGreaterThan(3);
});
