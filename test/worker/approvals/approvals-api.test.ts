/** The API of approvals: listed, read and answered, by whom it may be and only once. */
import { describe, expect, it } from "vitest";
import { type Gateway, type GatewayOptions, gateway } from "../support/gateway.ts";
import { type Asked, askApproval, guardOf } from "./asked-approval.ts";

const policy = {
  tools: {
    edit_note: { category: "modification", redact: ["content"] },
    send_mail: { category: "external", destination: "the mail service", sensitive: true },
  },
  injection: { sets: ["shell"], action: "ask" },
};
const open = (more: object = {}, options: GatewayOptions = {}) =>
  gateway({ policy: { ...policy, ...more }, ...options });

type Json = Record<string, unknown> & { readonly error?: Fault };
interface Fault {
  readonly code: string;
  readonly param: string | null;
  readonly message: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}
type Init = Parameters<Gateway["fetch"]>[1];

async function ask(gate: Gateway, path: string, init?: Init): Promise<[number, Json]> {
  const response = await gate.fetch(`/v1${path}`, init);
  return [response.status, (await response.json()) as Json];
}
const fault = async (gate: Gateway, path: string, init?: Init) => {
  const [status, { error }] = await ask(gate, path, init);
  return [status, error?.code, error?.param];
};
const asks = (gate: Gateway, more: Partial<Asked> = {}) => askApproval({ tenant: gate.tenant, ...more });
const answer = (gate: Gateway, id: string, json: unknown, key?: string) =>
  ask(gate, `/approvals/${id}`, { json, ...(key === undefined ? {} : { key }) });
const idsOf = ({ data }: Json) => (data as { id: string }[]).map(({ id }) => id);

describe("the list of one's approvals", () => {
  it("has them newest first, in pages, by status", async () => {
    const gate = await open();
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push((await asks(gate)).id);
    await answer(gate, ids[1] as string, { action: "deny" });
    const newest = [...ids].reverse();
    const [status, first] = await ask(gate, "/approvals?limit=2");
    expect([status, first]).toMatchObject([
      200,
      { object: "list", first_id: newest[0], last_id: newest[1], has_more: true },
    ]);
    const [, second] = await ask(gate, `/approvals?limit=3&after=${newest[1]}`);
    expect([...idsOf(first), ...idsOf(second)]).toEqual(newest);
    expect(second.has_more).toBe(false);
    expect(idsOf((await ask(gate, `/approvals?after=${ids[0]}`))[1])).toEqual([]);
    expect(idsOf((await ask(gate, "/approvals?order=asc"))[1])).toEqual(ids);
    expect(idsOf((await ask(gate, "/approvals?status=denied"))[1])).toEqual([ids[1]]);
    expect(idsOf((await ask(gate, "/approvals?status=pending&order=asc"))[1])).toEqual(ids.filter((_, n) => n !== 1));
  });

  it("is empty where nobody asked", async () => {
    const gate = await open();
    const nothing = { object: "list", data: [], first_id: null, last_id: null, has_more: false };
    expect(await ask(gate, "/approvals")).toEqual([200, nothing]);
  });

  it.each([
    ["status=open", "status"],
    ["limit=0", "limit"],
    ["order=up", "order"],
    ["scope=all", "scope"],
    ["tenant=x", "tenant"],
    ["user=bob", "user"],
    ["status=pending&status=denied", "status"],
    ["after=appr_x", "after"],
    ["scope=own&tenant=x", "tenant"],
  ])("refuses `%s`", async (query, param) => {
    expect(await fault(await open(), `/approvals?${query}`)).toEqual([400, expect.any(String), param]);
  });
});

describe("an approval", () => {
  it("is told to who is asked with all that they need, what records leave out too", async () => {
    const gate = await open();
    const { id, code } = await asks(gate);
    const [status, view] = await ask(gate, `/approvals/${id}`);
    expect([status, view]).toMatchObject([
      200,
      {
        object: "approval",
        id,
        code,
        status: "pending",
        tool: "edit_note",
        session_id: "s",
        arguments: { title: "plan", content: "secret words" },
        disclosure: expect.stringMatching(/^Edit a note: `plan`\?\n {2}title: plan\n {2}content: secret words\n/),
        question: "Edit a note: `plan`?",
        editable: true,
        grantable: true,
        answer: null,
        answered_at: null,
      },
    ]);
    expect(view).toMatchObject({
      details: { arguments: [{ private: false }, { name: "content", private: true, redacted: false }] },
    });
  });

  it("is told in the language of who reads, else in the conversation's", async () => {
    const gate = await open();
    const { id } = await asks(gate);
    const read = async (language?: string) => {
      const headers: Record<string, string> = language === undefined ? {} : { "accept-language": language };
      const response = await gate.fetch(`/v1/approvals/${id}`, { headers });
      return (await response.json()) as { details: { language: string; effects: { text: string }[] } };
    };
    expect((await read("ja-JP,en;q=0.5")).details.effects[0]?.text).toBe("⚠ この操作は元に戻せません。");
    expect((await read("zh")).details.language).toBe("zh");
    expect((await read("fr")).details.language).toBe("fr");
    expect((await read("it")).details.effects[0]?.text).toBe("⚠ This cannot be undone.");
    expect((await read()).details.language).toBe("en");
  });

  it("is not found by an id that is none", async () => {
    const gate = await open();
    for (const id of ["x", "appr_", `appr_${"0".repeat(26)}`, "%00", "__proto__"]) {
      expect(await fault(gate, `/approvals/${id}`)).toEqual([404, "not_found", "id"]);
      expect(await fault(gate, `/approvals/${id}`, { json: { action: "approve" } })).toEqual([404, "not_found", "id"]);
    }
  });
});

describe("an answer", () => {
  it("is taken once; the same one sent again gets the same reply, another one a conflict", async () => {
    const gate = await open();
    for (const [first, second] of [
      ["approve", "deny"],
      ["deny", "approve"],
    ]) {
      const { id } = await asks(gate);
      const taken = await answer(gate, id, { action: first });
      expect(taken).toMatchObject([
        200,
        {
          status: first === "deny" ? "denied" : "approved",
          answer: { action: first, via: "api", by: "ada", reason: null },
        },
      ]);
      expect(await answer(gate, id, { action: first })).toEqual(taken);
      expect(await fault(gate, `/approvals/${id}`, { json: { action: second } })).toEqual([
        409,
        "approval_settled",
        null,
      ]);
      expect(await ask(gate, `/approvals/${id}`)).toEqual(taken);
    }
  });

  it("given from two windows at once is taken once", async () => {
    const gate = await open();
    const { id } = await asks(gate);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => answer(gate, id, { action: n % 2 === 0 ? "approve" : "deny" })),
    );
    const statuses = answers.map(([status]) => status);
    expect([statuses.filter((one) => one === 200).length, statuses.filter((one) => one === 409).length]).toEqual([
      5, 5,
    ]);
  });

  it("that denies may give a reason, which reaches the record", async () => {
    const gate = await open();
    const { id } = await asks(gate);
    const [status, view] = await answer(gate, id, { action: "deny", reason: " not on a Sunday " });
    expect([status, view]).toMatchObject([200, { answer: { action: "deny", reason: "not on a Sunday" } }]);
    await gate.decisions();
    const key = await gate.keyFor("boss", "admin");
    const [, records] = await ask(gate, `/audit/approvals?approval=${id}&order=asc`, { key });
    expect(records.data).toMatchObject([
      { event: "asked", by: null },
      { event: "denied", by: "ada", via: "api", reason: "not on a Sunday" },
    ]);
  });

  it("that comes too late is told so, whatever it is", async () => {
    const gate = await open();
    const late = await asks(gate, { expiresAt: Date.now() - 1 });
    const dropped = await asks(gate, { session: "dropped" });
    expect((await gate.fetch("/v1/sessions/dropped", { method: "DELETE" })).status).toBe(200);
    for (const json of [{ action: "approve" }, { action: "deny" }, { action: "edit", arguments: { title: 7 } }]) {
      expect(await fault(gate, `/approvals/${late.id}`, { json })).toEqual([409, "approval_expired", null]);
      expect(await fault(gate, `/approvals/${dropped.id}`, { json })).toEqual([409, "approval_cancelled", null]);
    }
    expect((await ask(gate, `/approvals/${late.id}`))[1]).toMatchObject({ status: "expired", answer: null });
  });

  it.each<[string, unknown, string | null]>([
    ["nothing", undefined, null],
    ["text that is no JSON", "{", null],
    ["a list", "[]", null],
    ["an action twice", '{"action":"approve","action":"deny"}', null],
    ["no action", "{}", "action"],
    ["an unknown action", '{"action":"allow"}', "action"],
    ["an action in another case", '{"action":"Approve"}', "action"],
    ["an unknown member", '{"action":"approve","force":true}', "force"],
    ["`__proto__`", '{"action":"approve","__proto__":{}}', null],
    ["arguments with `approve`", '{"action":"approve","arguments":{"title":"x"}}', "arguments"],
    ["`unset` with `deny`", '{"action":"deny","unset":["title"]}', "unset"],
    ["a reason with `approve`", '{"action":"approve","reason":"fine"}', "reason"],
    ["a reason that is no text", '{"action":"deny","reason":7}', "reason"],
    ["an empty reason", '{"action":"deny","reason":" "}', "reason"],
    ["a reason that is too long", JSON.stringify({ action: "deny", reason: "x".repeat(1001) }), "reason"],
    ["half a character in a reason", '{"action":"deny","reason":"\\ud800"}', "reason"],
    ["a grant with `deny`", '{"action":"deny","grant":{"until":"session"}}', "grant"],
    ["an edit of nothing", '{"action":"edit"}', "arguments"],
    ["an edit by a list", '{"action":"edit","arguments":["x"]}', "arguments"],
    ["names that are no texts", '{"action":"edit","unset":[7]}', "unset[0]"],
    ["one name set and unset", '{"action":"edit","arguments":{"title":"x"},"unset":["title"]}', "unset"],
    ["a number that no double holds", '{"action":"edit","arguments":{"title":12345678901234567890}}', null],
    ["a grant that is none", '{"action":"approve","grant":true}', "grant"],
    ["a grant without an end", '{"action":"approve","grant":{}}', "grant"],
    ["a grant with another member", '{"action":"approve","grant":{"until":"session","tool":"*"}}', "grant"],
    [
      "a grant for what is no argument",
      '{"action":"approve","grant":{"until":"8h","arguments":{"x":{"equals":1}}}}',
      "grant",
    ],
    [
      "a grant for other values",
      '{"action":"approve","grant":{"until":"8h","arguments":{"title":{"equals":1}}}}',
      "grant",
    ],
    [
      "a grant by a pattern that is none",
      '{"action":"approve","grant":{"until":"8h","arguments":{"title":{"matches":"(?=a)"}}}}',
      "grant",
    ],
    [
      "a grant on what is redacted",
      '{"action":"approve","grant":{"until":"8h","arguments":{"content":{"matches":".*"}}}}',
      "grant",
    ],
  ])("that is %s is refused, with what to do, and decides nothing", async (_what, body, param) => {
    const gate = await open();
    const { id } = await asks(gate);
    const [status, { error }] = await ask(gate, `/approvals/${id}`, { method: "POST", body: body as string });
    expect([status, error?.param]).toEqual([400, param]);
    expect(error?.message).not.toBe("");
    expect((await ask(gate, `/approvals/${id}`))[1]).toMatchObject({ status: "pending", answer: null });
  });
});

describe("an edit", () => {
  const change = (set: object, unset?: string[]) => ({ action: "edit", arguments: set, ...(unset ? { unset } : {}) });

  it("is shown whole, however long it is", async () => {
    const gate = await open();
    const { id } = await asks(gate, { schema: null });
    const title = "x".repeat(40_000);
    const [, view] = await answer(gate, id, change({ title }));
    expect(view).toMatchObject({ status: "approved", arguments: { title } });
  });

  it("replaces what it names, and keeps what the person was not shown", async () => {
    const gate = await open();
    const { id, digest } = await asks(gate);
    const [status, view] = await answer(gate, id, change({ title: "new", content: "[redacted]" }));
    expect([status, view]).toMatchObject([
      200,
      { status: "approved", answer: { action: "edit" }, arguments: { title: "new", content: "secret words" } },
    ]);
    expect(String(view.disclosure)).toContain("new");
    const kept = await guardOf(gate.tenant).approvals.find(id);
    expect(JSON.parse(kept?.arguments ?? "")).toEqual({ title: "new", content: "secret words" });
    expect(kept?.digest).not.toBe(digest);
    expect(JSON.stringify([kept?.disclosure, kept?.recorded])).not.toContain("secret words");
    expect(await answer(gate, id, change({ title: "new", content: "[redacted]" }))).toEqual([200, view]);
    expect((await answer(gate, id, change({ title: "newer" })))[0]).toBe(409);
  });

  it("leaves out what it unsets", async () => {
    const gate = await open();
    const { id } = await asks(gate);
    const [, view] = await answer(gate, id, { action: "edit", unset: ["content"] });
    expect(view).toMatchObject({ status: "approved", arguments: { title: "plan" } });
  });

  it("is refused where a condition on the person's role denies it, with the policy's words", async () => {
    const long = { properties: { title: { minLength: 6 } } };
    const conditions = [{ if: long, effect: "deny", roles: ["user"], say: "long titles need a lead" }];
    const gate = await open({ tools: { edit_note: { ...policy.tools.edit_note, conditions } } });
    const { id } = await asks(gate);
    const [status, { error }] = await answer(gate, id, change({ title: "a longer plan" }));
    expect([status, error]).toMatchObject([400, { code: "arguments_invalid", param: "arguments" }]);
    expect(error?.message).toContain("long titles need a lead");
    expect((await ask(gate, `/approvals/${id}`))[1]).toMatchObject({ status: "pending" });
    expect((await answer(gate, id, change({ title: "short" })))[0]).toBe(200);
  });

  it.each<[string, object, string[] | undefined, string]>([
    ["of the wrong type", { title: 7 }, undefined, "/title"],
    ["too long", { title: "x".repeat(41) }, undefined, "/title"],
    ["that the tool does not know", { folder: "x" }, undefined, "/folder"],
    ["missing", {}, ["title"], ""],
    ["that reads like an attack", { title: "a; rm -rf /" }, undefined, "/title"],
  ])("is refused for arguments %s, with the place", async (_what, set, unset, path) => {
    const gate = await open();
    const { id } = await asks(gate);
    const [status, { error }] = await answer(gate, id, change(set, unset));
    expect([status, error]).toMatchObject([400, { code: "arguments_invalid", param: "arguments" }]);
    expect(error?.errors?.map((one) => one.path)).toContain(path);
    expect((await ask(gate, `/approvals/${id}`))[1]).toMatchObject({ status: "pending" });
  });

  it("is vetted by the schema of the policy in force, where it has one", async () => {
    const narrower = {
      type: "object",
      properties: { title: { enum: ["plan", "notes"] }, content: { type: "string" } },
    };
    const gate = await open({ tools: { edit_note: { ...policy.tools.edit_note, parameters: narrower } } });
    const { id } = await asks(gate);
    const [, { error }] = await answer(gate, id, change({ title: "else" }));
    expect(error).toMatchObject({ code: "arguments_invalid", errors: [{ path: "/title" }] });
    expect((await answer(gate, id, change({ title: "notes" })))[0]).toBe(200);
  });

  it("may hold what looks like an attack where the person was asked about that", async () => {
    const gate = await open();
    const { id } = await asks(gate, { suspicious: true });
    expect((await answer(gate, id, change({ title: "a; rm -rf /" })))[0]).toBe(200);
  });

  it("never makes what the policy denies outright", async () => {
    const gate = await open({ injection: { sets: ["shell"], action: "deny" } });
    const { id } = await asks(gate, { suspicious: true });
    const [status, { error }] = await answer(gate, id, change({ title: "a; rm -rf /" }));
    expect([status, error?.code]).toEqual([400, "arguments_invalid"]);
  });

  it("to what two readers could take for different things is a 400", async () => {
    const gate = await open();
    const { id } = await asks(gate, { schema: { type: "object" } });
    for (const set of [{ title: "\ud800" }, { title: "a", Title: "b" }]) {
      expect(await fault(gate, `/approvals/${id}`, { json: change(set) })).toEqual([
        400,
        "arguments_invalid",
        "arguments",
      ]);
    }
  });

  it("is not for calls that cannot be edited", async () => {
    const gate = await open();
    const { id } = await asks(gate, { editable: false });
    const json = change({ title: "new" });
    expect(await fault(gate, `/approvals/${id}`, { json })).toEqual([400, "approval_not_editable", "action"]);
  });
});
