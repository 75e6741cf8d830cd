/** Tools that are never offered, whatever the user wants: not to this role, not by this policy, or the schema is broken. */
import { describe, expect, it } from "vitest";
import { gateway, tool } from "../support/gateway.ts";
import { ask, call, says, toolsOf, user } from "../support/script.ts";

const hi = [user("please do")];
const open = { handshake: { select: "off" } } as const;
const schema = (name: string, parameters: unknown) => ({ type: "function", function: { name, parameters } });

describe("a tool that the role may not use", () => {
  const policy = { ...open, tools: { refund_order: { category: "modification", roles: ["admin"] } } };
  const says1 = says({ text: "I cannot do that." });

  it("is told to the user whose message names it, and to no other", async () => {
    const gate = await gateway({ policy, role: "guest", upstream: [says1, says1] });
    const tools = [tool("refund_order")];
    const wanted = await ask(gate, { messages: [user("Please refund A-1042")], tools });
    expect(wanted.text).toMatch(/^I cannot do that\.\n\nToolgate: .*`guest`.*`refund_order`/);
    expect((await ask(gate, { messages: [user("Hello there")], tools })).text).toBe("I cannot do that.");
  });

  it.each([
    ["déploie l'application", /^Toolgate\s: Le rôle `guest` ne peut pas utiliser `deploy_app`\s; seulement `admin`\.$/],
    ["앱을 배포해 주세요", /^Toolgate: `guest` 역할은 `deploy_app` 도구를 사용할 수 없습니다\(`admin`만 가능\)\.$/],
    ["请部署应用", /^Toolgate：角色 `guest` 不能使用 `deploy_app`，只有 `admin` 可以。$/],
  ])("is told in the user's language, whose words for the act are known: %s", async (text, note) => {
    const policy = { ...open, tools: { deploy_app: { category: "modification", roles: ["admin"] } } };
    const gate = await gateway({ policy, role: "guest", upstream: says1 });
    const told = await ask(gate, { messages: [user(text)], tools: [tool("deploy_app")] });
    expect(told.text.split("\n\n")[1]).toMatch(note);
  });

  it("is told where the user's words ask for its intent, and nothing else of that intent can be used", async () => {
    const cards = {
      handshake: { select: "detected" },
      tools: { create_flashcards: { category: "note_taking", roles: ["user"] }, look_up: { category: "read_only" } },
      intents: { CARDS: { keywords: ["flashcards"], tools: ["create_flashcards", "look_up", "create_list"] } },
    };
    const gate = await gateway({ policy: cards, role: "guest", upstream: () => says1({}, new Request("http://x")) });
    const told = async (text: string, ...more: string[]) =>
      (
        await ask(gate, {
          messages: [user(text)],
          tools: ["create_flashcards", "look_up", ...more].map((name) => tool(name)),
        })
      ).text;
    expect(await told("make me flashcards about Rome")).toContain("may not use `create_flashcards`");
    expect(await told("make me a coffee")).toBe("I cannot do that.");
    expect(await told("make me flashcards about Rome", "create_list")).toBe("I cannot do that.");
  });
});

describe("with `unlistedTools: deny`", () => {
  const policy = { ...open, unlistedTools: "deny", tools: { look: { category: "read_only" }, "mcp__*": {} } };

  it("a tool that the policy does not list is neither offered nor released", async () => {
    const made = { calls: [call("c1", "other"), call("c2", "look")] };
    const gate = await gateway({ policy, upstream: says(made) });
    const answer = await ask(gate, { messages: hi, tools: [tool("other"), tool("look"), tool("mcp__crm__find")] });
    expect(toolsOf(gate.sent[0])).toEqual(["look"]);
    expect(answer.calls.map(({ name }) => name)).toEqual(["look"]);
    expect(answer.note.withheld).toEqual([
      { name: "other", reasons: ["unlisted_tool"] },
      { name: "mcp__crm__find", reasons: ["unlisted_tool"] },
    ]);
    const [turn] = await gate.turns();
    expect(turn).toMatchObject({ withheld: answer.note.withheld });
    const refused = answer.note.decisions.find((decision) => decision.tool === "other");
    expect(refused?.reasons.map(({ code }) => code)).toEqual(["not_offered", "unlisted_tool"]);
    expect(await gate.decisions()).toMatchObject([
      { tool: "other", effect: "deny" },
      { tool: "look", effect: "allow" },
    ]);
  });

  it("is not offered where the application demands it: that is a 400 with the reason", async () => {
    const gate = await gateway({ policy, upstream: says({ text: "ok" }) });
    const choice = { tool_choice: { type: "function", function: { name: "other" } } };
    const { status, error } = await ask(gate, { messages: hi, tools: [tool("other")], ...choice });
    expect([status, error?.code]).toEqual([400, "tool_policy_blocked"]);
    expect(error?.message).toContain(
      "the policy does not list `other` in its `tools`, and denies what it does not list",
    );
    expect(gate.sent).toEqual([]);
  });
});

describe("a tool whose JSON Schema is broken", () => {
  const broken = schema("broken", { type: "object", properties: { a: { type: "strin" }, b: { pattern: "(?=x)" } } });
  const message =
    "no call of `broken` can be checked: the schema is not valid: `strin` is not a type, did you mean `string`? (at `/properties/a/type`)";

  it("is withheld with what the client must mend, and the other tools work", async () => {
    const policy = { ...open, tools: { look: { category: "read_only" } } };
    const gate = await gateway({ policy, upstream: says({ calls: [call("c1", "look"), call("c2", "broken")] }) });
    const answer = await ask(gate, { messages: hi, tools: [broken, tool("look")] });
    expect(answer.status).toBe(200);
    expect(toolsOf(gate.sent[0])).toEqual(["look"]);
    expect(answer.calls.map(({ name }) => name)).toEqual(["look"]);
    expect(answer.note.withheld).toEqual([{ name: "broken", reasons: ["schema_invalid"], message }]);
    const [turn] = await gate.turns();
    expect(turn).toMatchObject({ withheld: answer.note.withheld });
  });

  it("is a 400 with the reason where the application demands it", async () => {
    const gate = await gateway({ policy: open, upstream: says({ text: "ok" }) });
    const choice = { tool_choice: { type: "function", function: { name: "broken" } } };
    const { status, error } = await ask(gate, { messages: hi, tools: [broken], ...choice });
    expect([status, error?.code]).toEqual([400, "tool_policy_blocked"]);
    expect(error?.message).toContain(message);
  });

  it("is offered as soon as the policy gives it parameters", async () => {
    const parameters = { type: "object", properties: {} };
    const policy = { ...open, tools: { broken: { category: "read_only", parameters } } };
    const gate = await gateway({ policy, upstream: says({ text: "ok" }) });
    const { note } = await ask(gate, { messages: hi, tools: [schema("broken", undefined)] });
    expect(note.offered).toEqual(["broken"]);
  });

  it.each([
    [
      "null where a value is absent",
      { type: "object", properties: { a: { type: "string", format: null } }, required: null },
    ],
    ["unknown keywords", { type: "object", "x-order": 1, strict: {}, properties: { a: { nullable: true } } }],
    ["an older draft's bounds", { type: "object", properties: { a: { minimum: 1, exclusiveMinimum: true } } }],
    ["nothing", {}],
  ])("is none that holds %s", async (_, parameters) => {
    const gate = await gateway({ policy: open, upstream: says({ text: "ok" }) });
    const { note } = await ask(gate, { messages: hi, tools: [schema("fine", parameters)] });
    expect(note.offered).toEqual(["fine"]);
  });
});
