/** A candidate beside the policy in force: it judges the same turns, and changes nothing of them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Gateway, gateway, tool } from "../support/gateway.ts";
import { ask, call, says, user } from "../support/script.ts";

const tools = {
  look: { category: "read_only" },
  wipe: { category: "modification" },
  edit: { category: "modification", rateLimits: [{ max: 1, window: "1h" }] },
};
const base = { roles: ["user", "admin"], tools, handshake: { select: "off" } };
const offered = [tool("look"), tool("wipe"), tool("edit")];

interface CandidateBody {
  readonly version: string;
  readonly by: string;
  readonly turns: number;
  readonly judged: number;
  readonly unjudged: number;
  readonly changes: readonly Record<string, unknown>[];
  readonly offers: readonly unknown[];
  readonly error?: { readonly code: string };
}

const candidateOf =
  (gate: Gateway) =>
  async (method: string, json?: unknown, key?: string): Promise<{ status: number; body: CandidateBody }> => {
    // The records of the turns before, delivered.
    await gate.turns();
    const response = await gate.fetch(`/admin/policies/${gate.tenant}/candidate`, {
      method,
      ...(json === undefined ? {} : { json }),
      key: key ?? (await gate.keyFor("boss", "admin")),
    });
    return { status: response.status, body: (await response.json()) as CandidateBody };
  };

const turn = () => says({ calls: [call("c1", "look"), call("c2", "wipe")] });

describe("a candidate", () => {
  it("is told by tool and reason what it would have decided otherwise, and the record of the turn has it", async () => {
    const gate = await gateway({ policy: base, upstream: [turn(), turn()] });
    const candidate = candidateOf(gate);
    const stricter = {
      ...base,
      tools: { ...tools, wipe: { ...tools.wipe, roles: ["admin"] }, look: { category: "external" } },
    };
    const put = await candidate("PUT", stricter);
    expect(put.status).toBe(200);
    await ask(gate, { messages: [user("hi")], tools: offered });
    const { body } = await candidate("GET");
    expect(body).toMatchObject({ version: put.body.version, by: "boss", turns: 1, judged: 2, unjudged: 0 });
    expect(body.offers).toEqual([{ tool: "wipe", change: "withheld", turns: 1 }]);
    expect(body.changes.map(({ tool: name, from, to, reasons }) => [name, from, to, reasons])).toEqual([
      ["look", "allow", "confirm", ["first_use"]],
      ["wipe", "confirm", "deny", ["not_offered", "role_forbids"]],
    ]);
    const decisions = await gate.decisions();
    expect(decisions.map(({ effect }) => effect)).toEqual(["allow", "confirm"]);
    const [change] = body.changes as { readonly examples: readonly { readonly decision: string }[] }[];
    expect(decisions.map(({ id }) => id)).toContain(change?.examples[0]?.decision);
  });

  it("of the policy in force finds nothing to compare, and one that differs in what a turn does not touch no difference", async () => {
    const gate = await gateway({ policy: base, upstream: [turn(), turn()] });
    const candidate = candidateOf(gate);
    await candidate("PUT", base);
    await ask(gate, { messages: [user("hi")], tools: offered });
    expect((await candidate("GET")).body).toMatchObject({ turns: 0, changes: [] });
    await candidate("PUT", { ...base, tools: { ...tools, other: { category: "external" } } });
    await ask(gate, { messages: [user("hi again")], tools: offered });
    expect((await candidate("GET")).body).toMatchObject({ turns: 1, judged: 2, unjudged: 0, changes: [], offers: [] });
  });

  it("is gone once it is removed, and is for operators of the tenant alone", async () => {
    const gate = await gateway({ policy: base, upstream: [turn()] });
    const candidate = candidateOf(gate);
    expect((await candidate("GET")).status).toBe(404);
    expect((await candidate("PUT", { tools: 1 })).body.error?.code).toBe("policy_invalid");
    for (const method of ["GET", "PUT", "DELETE"])
      expect(
        (await candidate(method, method === "PUT" ? base : undefined, await gate.keyFor("eve", "user"))).status,
      ).toBe(403);
    await candidate("PUT", { ...base, unlistedTools: "deny" });
    expect((await candidate("DELETE")).status).toBe(200);
    expect((await candidate("GET")).status).toBe(404);
    await ask(gate, { messages: [user("hi")], tools: offered });
    expect((await gate.turns())[0]).not.toHaveProperty("candidate");
  });
});

const category = fc.constantFrom("read_only", "note_taking", "modification", "external");
const policies = fc.record({
  look: fc.record({ category, roles: fc.constantFrom(["user", "admin"], ["admin"]) }),
  wipe: fc.record({ category, confirm: fc.constantFrom("auto", "always") }),
  enforce: fc.constantFrom("on", "observe"),
});

/** A reply as the client has it, without what is drawn by lot or by the clock. */
const bytesOf = (body: string): string =>
  body
    .replaceAll(/(turn|appr)_[0-9a-z]{26}/g, "ID")
    .replaceAll(/⟦\w+⟧|"code":"\w{4}"|"(created_at|expires_at)":"[^"]*"|"created":\d+/g, "T");

it("the_candidate_never_changes_a_reply", async () => {
  await fc.assert(
    fc.asyncProperty(policies, fc.boolean(), async ({ enforce, ...changed }, stream) => {
      const other = { ...base, enforce, tools: { ...tools, ...changed } };
      const replies: string[] = [];
      for (const candidate of [undefined, other]) {
        const gate = await gateway({ policy: base, upstream: [turn()] });
        if (candidate) await candidateOf(gate)("PUT", candidate);
        const json = { model: "m", messages: [user("hi")], tools: offered, stream };
        const response = await gate.fetch("/v1/chat/completions", { json, headers: { "x-toolgate-session": "s" } });
        replies.push(bytesOf(await response.text()));
      }
      expect(replies[1]).toBe(replies[0]);
    }),
    { numRuns: 8 },
  );
});
