import { describe, expect, it } from "vitest";
import { variantOf } from "../../../src/session/variant.ts";
import { codeIn } from "../approvals/approvals.ts";
import { tool } from "../support/gateway.ts";
import { type Answer, ask, call, messagesOf, outlineOf, says, toolsOf, user } from "../support/script.ts";
import { captureLog } from "../telemetry/capture-log.ts";
import { type Asked, runsOf, tell } from "../tools/managed.ts";
import { scriptedServer, scriptedTool } from "../tools/mcp-server.ts";
import { outcomesOf, study, studyIntents, studying, studyTools, talk, toolsSent, worded } from "./system-first.ts";

const session = { "x-toolgate-session": "s" };
const wish = "flashcards on verbs, N4 please";
const hi = { messages: [user(wish)] };
const paths = (asked: readonly Asked[]) => asked.map(({ path }) => path);
const toldTo = (sent: Record<string, unknown> | undefined) => String(messagesOf(sent).at(-1)?.content);
const forbidden = (name: string) => ({ name, reasons: ["intent_forbids"] });
const withheldHere = [forbidden("mine"), forbidden("wipe_cards")];
const noneFollow = "no tools are available now: answer the user in words, and tell what was not done and why";
const effects = ({ note }: Answer) =>
  note.decisions.map((one) => [one.effect, (one as { made_by?: string }).made_by ?? "model"]);

describe("a wish that its words are enough for", () => {
  for (const stream of [true, false]) {
    it(`runs without the model, which is then asked once, without tools (stream ${stream})`, async () => {
      const { gate, asked } = await studying();
      const body = { ...hi, stream, tools: [tool("mine")], tool_choice: "auto", parallel_tool_calls: true };
      const answer = await ask(gate, body, { ...session, ...tell });
      expect([answer.text, answer.finish, answer.calls]).toEqual(["Here they are.", "stop", []]);
      const made = { topic: "verbs", level: "N4", count: 5 };
      expect(asked).toEqual([{ method: "POST", path: "study.test/cards", body: made }]);
      expect(gate.sent.length).toBe(1);
      expect(Object.keys(gate.sent[0] ?? {}).filter((key) => key.includes("tool"))).toEqual([]);
      expect(answer.note).toMatchObject({
        state: "action",
        intent: "CARDS",
        stop_reason: "completed",
        // As the rules had it for the system's call: that the model then had none withholds nothing.
        offered: ["make_cards", "look_up"],
        withheld: withheldHere,
        decisions: [{ tool: "make_cards", effect: "allow", made_by: "system" }],
      });
      expect(runsOf(answer.note)).toMatchObject([{ tool: "make_cards", status: "succeeded" }]);
      const id = answer.note.decisions[0]?.call_id;
      expect(outlineOf(gate.sent[0])).toEqual(["user", `assistant(${id})`, `tool(${id})`]);
      expect(toldTo(gate.sent[0])).toContain("study.test/cards");
      expect(await gate.turns()).toMatchObject([
        {
          steps: 1,
          arm: "system_first",
          system_first: { outcome: "ran" },
          offered: answer.note.offered,
          withheld: expect.arrayContaining([...withheldHere, expect.objectContaining({ name: "make_quiz" })]),
        },
      ]);
      expect(await gate.decisions()).toMatchObject([
        { step: 0, made_by: "system", disposition: "run", arguments: { topic: "[redacted]", level: "N4" } },
      ]);
    });
  }

  it("is told before it runs where the policy says so, in one reply with what the model then says", async () => {
    const { gate } = await studying({ policy: study({}, { confirmation: { discloseUnasked: true } }) });
    const { text, events } = await ask(gate, { ...hi, stream: true });
    expect(text).toMatch(/^`.*make_cards.*…`\n\nHere they are\.$/s);
    const chunks = events.flatMap(({ json }) => (json ? [json as { id: string; choices: { delta: object }[] }] : []));
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    expect(chunks.filter(({ choices }) => choices.some(({ delta }) => "role" in delta)).length).toBe(1);
  });

  it("is answered in JSON mode, and in later turns the model still knows of it", async () => {
    const { gate } = await studying({ upstream: says({ text: "{}" }) });
    const { say } = talk(gate);
    expect((await say(wish, { response_format: { type: "json_object" } })).text).toBe("{}");
    await say("and now?");
    expect([toolsSent(gate), outlineOf(gate.sent[1]).length]).toEqual([[false, true], 5]);
  });

  it("leaves the model the word where it is refused, by role or by rate: nothing runs, no correction is spent", async () => {
    const { gate, asked } = await studying({ policy: study({ maxCorrections: 0 }) });
    const quiz = await ask(gate, { messages: [user("a quiz on verbs")] }, session);
    expect([quiz.text, effects(quiz), quiz.note.stop_reason]).toEqual([
      "Here they are.",
      // Whose name is not for this user.
      [],
      "completed",
    ]);
    expect([paths(asked), toolsSent(gate), JSON.stringify(quiz.note)]).toEqual([
      [],
      [false],
      expect.not.stringContaining("make_quiz"),
    ]);
    // Nor for this user's model, whose message still has the form of a call and its answer.
    expect(JSON.stringify(gate.sent[0])).not.toMatch(/make_quiz|verbs\\|use one of/);
    expect(outlineOf(gate.sent[0]).map((one) => one.replace(/\(.*/, ""))).toEqual(["user", "assistant", "tool"]);
    expect(toldTo(gate.sent[0])).toBe(
      `tool_policy_blocked: what the user asks for is not available to this user; ${noneFollow}`,
    );
    for (const _ of [1, 2, 3]) await ask(gate, { messages: [user(`${wish} ${_}`)] });
    expect(paths(asked)).toEqual(["study.test/cards", "study.test/cards"]);
    expect(toldTo(gate.sent.at(-1))).toMatch(
      /^tool_policy_blocked: `make_cards` was used .* try again in \d+ min; no /,
    );
    expect(toldTo(gate.sent.at(-1)).endsWith(noneFollow)).toBe(true);
    expect(await outcomesOf(gate)).toEqual(["refused", "ran", "ran", "refused"].map((one) => ["system_first", one]));
    const codes = (await gate.decisions()).map(({ reasons }) =>
      (reasons as { code: string }[]).map(({ code }) => code),
    );
    expect([codes[0], codes.at(-1)]).toEqual([["not_offered", "role_forbids"], ["rate_limited"]]);
  });

  it("tells the model why its tool is withheld, where it may be spoken of to the user", async () => {
    const modes = { default: { allow: ["*"] }, quiet: { allow: ["look_up"] } };
    const { gate } = await studying({ policy: study({}, { modes }) });
    await ask(gate, hi, { ...session, "x-toolgate-mode": "quiet" });
    expect([toolsSent(gate), toldTo(gate.sent[0])]).toEqual([
      [false],
      `tool_policy_blocked: \`make_cards\` is not permitted in the current mode; ${noneFollow}`,
    ]);
  });

  it("is vetted as a model's call is: what looks like an attack does not run", async () => {
    const entities = { ...study().entities, topic: { pattern: "on (.+)$" } };
    const { gate, asked } = await studying({ policy: study({}, { entities, injection: { action: "deny" } }) });
    const answer = await ask(gate, { messages: [user("flashcards N4 on ../../etc/passwd")] }, session);
    expect([effects(answer), paths(asked), toolsSent(gate)]).toEqual([[["deny", "system"]], [], [false]]);
    expect(answer.note.decisions[0]?.reasons).toMatchObject([{ code: "arguments_suspicious" }]);
  });

  it("does not lead the model to a call: one that it makes all the same is refused, until the corrections are over", async () => {
    const { gate, asked } = await studying({
      upstream: [says({ calls: [call("a", "look_up")] }), says({ calls: [call("b", "make_cards")] }), worded],
    });
    const answer = await ask(gate, hi, session);
    expect([answer.text, paths(asked), toolsSent(gate)]).toEqual([
      "Here they are.",
      ["study.test/cards"],
      [false, false, false],
    ]);
    expect(effects(answer)).toEqual([
      ["allow", "system"],
      ["deny", "model"],
      ["deny", "model"],
    ]);
    expect((await gate.decisions()).map(({ reasons }) => (reasons as { code: string }[])[0]?.code)).toEqual([
      undefined,
      "not_offered",
      "not_offered",
    ]);
    const stubborn = await studying({ upstream: says({ calls: [call("a", "look_up")] }) });
    expect((await ask(stubborn.gate, hi)).note.stop_reason).toBe("tool_policy_blocked");
    expect(stubborn.gate.sent.length).toBe(3);
    expect(toldTo(stubborn.gate.sent[1])).toBe(`tool_policy_blocked: \`look_up\` is not available; ${noneFollow}`);
  });

  it("completes its intent's required families, and where it could not, nobody is reminded", async () => {
    const families = {
      enabled: true,
      allowedFamilies: ["cards"],
      requiredSuccessFamilies: ["cards"],
      failTaskIfUnmet: true,
    };
    const intents = { ...studyIntents, CARDS: { ...studyIntents.CARDS, families } };
    const more = { intents, families: { cards: ["make_cards", "look_up"] } };
    const { gate } = await studying({ policy: study({}, more) });
    expect((await ask(gate, hi)).note.stop_reason).toBe("completed");
    const failing = await studying({ policy: study({}, more) }, () => new Response("no", { status: 500 }));
    const failed = await ask(failing.gate, hi);
    expect([failed.note.stop_reason, failing.gate.sent.length]).toEqual(["intent_execution_failed", 1]);
    expect(toldTo(failing.gate.sent[0])).toContain("failed");
  });
});

describe("whose tool it is", () => {
  it("may be an MCP server's, with the schema that the server tells", async () => {
    const server = scriptedServer();
    const inputSchema = { type: "object", properties: { level: { type: "string" } }, required: ["level"] };
    server.tools = [scriptedTool("find", { inputSchema })];
    const primary = "mcp__crm__find";
    const intents = { FIND: { keywords: ["find"], tools: [primary], primaryTool: primary } };
    const more = {
      intents,
      detection: {},
      mcpServers: { crm: { url: "https://crm.test/mcp" } },
    };
    const policy = study({}, { ...more, tools: { [primary]: { category: "read_only" } } });
    const { gate } = await studying({ policy }, (_, request) => server.fetch(request));
    const answer = await ask(gate, { messages: [user("find N3")] }, { ...session, ...tell });
    expect([answer.text, toolsSent(gate), effects(answer)]).toEqual(["Here they are.", [false], [["allow", "system"]]]);
    expect(runsOf(answer.note)).toMatchObject([{ tool: primary, arguments: { level: "N3" }, status: "succeeded" }]);
  });

  it("in a conversation that is not trusted, the user's own words still make the call, and a yes needs its code", async () => {
    const tools = { ...studyTools, look_up: { ...studyTools.look_up, trusted: false } };
    const upstream = [says({ calls: [call("a", "look_up")] }), worded];
    const { gate, asked } = await studying({ policy: study({}, { tools }), upstream });
    const { say } = talk(gate);
    await say("help me");
    await say(wish);
    expect(paths(asked)).toEqual(["study.test/look-up", "study.test/cards"]);
    const question = await say("wipe N4");
    expect(question.text).toContain("with the code");
    expect((await say("yes")).note.stop_reason).toBe("awaiting_approval");
    await say(`yes ${codeIn(question)}`);
    expect(paths(asked).at(-1)).toBe("study.test/wipe");
  });
});

describe("what a person must confirm", () => {
  const wipe = "wipe what is N4";

  it("is asked about without the model; a yes runs it, and the model words that without tools", async () => {
    const { gate, asked } = await studying();
    const { say } = talk(gate);
    const first = await say(wipe);
    expect([first.note.stop_reason, gate.sent.length, paths(asked)]).toEqual(["awaiting_approval", 0, []]);
    expect(first.text).toContain("Wipe cards");
    const yes = await say(`yes ${codeIn(first)}`, { tool_choice: "required" });
    expect([yes.text, paths(asked), toolsSent(gate)]).toEqual(["Here they are.", ["study.test/wipe"], [false]]);
    expect([first.note.offered, yes.note.withheld]).toEqual([["wipe_cards"], []]);
    expect(await outcomesOf(gate)).toEqual([
      ["system_first", "asked_person"],
      ["system_first", "ran"],
    ]);
    expect((await gate.decisions()).map(({ made_by: by }) => by)).toEqual(["system", "system"]);
  });

  it("does not run on a no, which the model is told without tools; an edit runs what was edited", async () => {
    const { gate, asked } = await studying();
    const refuser = talk(gate);
    const first = await refuser.say(wipe);
    const no = await refuser.say(`no ${codeIn(first)}`);
    expect([no.text, effects(no), paths(asked), toolsSent(gate)]).toEqual([
      "Here they are.",
      [["deny", "system"]],
      [],
      [false],
    ]);
    const editor = talk(gate, { "x-toolgate-session": "t" });
    const again = await editor.say(wipe);
    await editor.say(`edit ${codeIn(again)} level=N2`);
    expect(asked).toMatchObject([{ path: "study.test/wipe", body: { level: "N2" } }]);
    expect(toolsSent(gate)).toEqual([false, false]);
    expect((await outcomesOf(gate)).map((one) => (one as unknown[])[1])).toEqual([
      "asked_person",
      "denied_by_person",
      "asked_person",
      "ran",
    ]);
  });

  it("is held for where the reply waits, and asked as data where the client knows approvals", async () => {
    const { gate, asked } = await studying();
    const held = await gate.chat(
      { messages: [user(wipe)], stream: true },
      { ...session, "x-toolgate-approvals": "hold" },
    );
    const { data } = (await (await gate.fetch("/v1/approvals")).json()) as { data: { id: string }[] };
    await gate.fetch(`/v1/approvals/${data[0]?.id}`, { json: { action: "approve" } });
    expect(await held.text()).toContain("Here they are.");
    expect([paths(asked), toolsSent(gate)]).toEqual([["study.test/wipe"], [false]]);
    const native = { "x-toolgate-session": "n", "x-toolgate-approvals": "native" };
    const first = await ask(gate, { messages: [user(wipe)] }, native);
    const [approval] = (first.note as unknown as { approvals: { id: string }[] }).approvals;
    const answers = { toolgate: { approvals: [{ id: approval?.id, action: "approve" }] } };
    expect((await ask(gate, { messages: [user(wipe)], ...answers }, native)).text).toBe("Here they are.");
    expect([paths(asked).length, toolsSent(gate)]).toEqual([2, [false, false]]);
  });
});

describe("whose task goes which way", () => {
  it("is the user's arm, recorded on either side, and kept while the intent is", async () => {
    const { gate, asked } = await studying({ policy: study({ strategy: "llm_first" }) });
    const { say } = talk(gate);
    await say(wish);
    await say("and the second one");
    await say("help me");
    expect([paths(asked), toolsSent(gate)]).toEqual([[], [true, true, true]]);
    expect(await outcomesOf(gate)).toEqual([
      ["llm_first", null],
      ["llm_first", null],
      [null, null],
    ]);
    const share = 0.5;
    const { gate: shared } = await studying({ policy: study({ strategy: "llm_first", systemFirstShare: share }) });
    for (const name of ["ada", "bob", "cleo", "dan", "eve", "fay"]) {
      const key = await shared.keyFor(name, "user");
      const before = shared.sent.length;
      await shared.fetch("/v1/chat/completions", { json: { model: "m", ...hi }, key }).then((reply) => reply.text());
      const own = variantOf({ tenant: shared.tenant, user: name }, { strategy: "llm_first", systemFirstShare: share });
      expect([name, shared.sent[before]?.tools !== undefined]).toEqual([name, own === "llm_first"]);
    }
  });

  it("is the intent's own setting before the policy's", async () => {
    const intents = { ...studyIntents, CARDS: { ...studyIntents.CARDS, execution: { strategy: "llm_first" } } };
    const { gate, asked } = await studying({ policy: study({}, { intents }) });
    await ask(gate, hi);
    await ask(gate, { messages: [user("wipe N4")] });
    expect([paths(asked), toolsSent(gate)]).toEqual([[], [true]]);
  });

  it.each([
    ["two intents", { messages: [user("flashcards and a quiz on verbs, N4")] }, null],
    ["a follow-up", { messages: [user("and verbs N4")] }, null],
    ["a value or another", { messages: [user("flashcards on verbs, N4 or N3")] }, "left"],
    ["tool_choice none", { ...hi, tool_choice: "none" }, null],
    ["tool_choice required", { ...hi, tool_choice: "required" }, null],
    ["a named tool", { ...hi, tool_choice: { type: "function", function: { name: "look_up" } } }, null],
    [
      "a value that the schema refuses",
      { messages: [user("flashcards on verbs, N8")], response_format: { type: "json_object" } },
      "left",
    ],
  ])("is the model's, with %s", async (_, body, outcome) => {
    const { gate, asked } = await studying();
    await ask(gate, body, session);
    expect([paths(asked), gate.sent.length]).toEqual([[], 1]);
    expect(toolsOf(gate.sent[0]).length > 0 || "tool_choice" in body).toBe(true);
    expect((await outcomesOf(gate)).map((one) => (one as unknown[])[1])).toEqual([outcome]);
  });

  it.each([
    ["a quotation", 'My teacher wrote: "make flashcards on verbs, N4". What does she mean?'],
    ["a quoted line", "What does this want?\n> flashcards on verbs, N4"],
    ["nothing but a quoted line", "> flashcards on verbs, N4"],
    ["fenced text", "```\nflashcards on verbs, N4\n```"],
    ["a frontend's own task", `Make a title for this chat:\nUSER: ${wish}\n${"- Keep it short.\n".repeat(32)}`],
  ])("is the model's where the wish stands in %s", async (_, message) => {
    const { gate, asked } = await studying();
    await ask(gate, { messages: [user(message)] }, session);
    expect([paths(asked), toolsSent(gate), await outcomesOf(gate)]).toEqual([[], [true], [[null, null]]]);
  });

  it.each([
    ["a quoted line", "flashcards on verbs please, as she asks:\n> I need N1", undefined],
    ["fenced text", "flashcards on verbs for this:\n```\nlevel N1\n```", undefined],
    ["what is not wanted", "flashcards on verbs, but not N4", undefined],
    ["what it is to be without", "flashcards on verbs without N4", undefined],
    ["one that is taken back", "flashcards on verbs, not N4 but N3", "N3"],
    ["a sentence that says no to something else", "flashcards on verbs. I have no time, N4 please", "N4"],
    ["the middle of a quotation", 'flashcards on verbs for "my N1 course"', undefined],
    ["quotation marks of its own", 'flashcards on verbs, "N1" please', "N1"],
  ])("has no value from %s but what the user names", async (_, message, named) => {
    const { gate, asked } = await studying();
    const answer = await ask(gate, { messages: [user(message)] }, session);
    expect(asked.map(({ body }) => (body as { level?: string }).level)).toEqual(named ? [named] : []);
    expect([answer.text, toolsSent(gate)]).toEqual(["Here they are.", [named === undefined]]);
  });

  it("may be the system's where `allowed_tools` names the tool", async () => {
    const choice = (name: string) => ({
      type: "allowed_tools",
      allowed_tools: { mode: "auto", tools: [{ type: "function", function: { name } }] },
    });
    const { gate, asked } = await studying();
    await ask(gate, { ...hi, tool_choice: choice("look_up") });
    expect(paths(asked)).toEqual([]);
    await ask(gate, { ...hi, tool_choice: choice("make_cards") });
    expect([paths(asked), toolsSent(gate)]).toEqual([["study.test/cards"], [true, false]]);
  });

  it("is the model's where only it selects", async () => {
    const { gate, asked } = await studying({ policy: study({}, { handshake: { select: "model" } }) });
    await ask(gate, hi, session);
    expect([paths(asked), toolsSent(gate), await outcomesOf(gate)]).toEqual([[], [true], [[null, null]]]);
  });
});

describe("what the words do not give", () => {
  it("is left to the model, which has its tools and knows the message that names it next", async () => {
    const { gate, asked } = await studying();
    const { say } = talk(gate);
    const first = await say("flashcards for N4");
    expect([first.text, first.note.intent]).toEqual(["Here they are.", "CARDS"]);
    expect((await say("kanji")).note.intent).toBe("CARDS");
    expect([asked, toolsSent(gate)]).toEqual([[], [true, true]]);
    expect(await gate.turns()).toMatchObject([
      { arm: "system_first", system_first: { outcome: "left", tool: "make_cards", missing: ["topic"] } },
      { arm: "system_first" },
    ]);
  });

  it("tells no log and no record what the policy redacts", async () => {
    const secret = "kanji";
    const log = captureLog();
    const { gate, asked } = await studying();
    const { say } = talk(gate);
    await say(`flashcards on ${secret}, N4`);
    expect(asked.map(({ body }) => body)).toEqual([{ level: "N4", topic: secret, count: 5 }]);
    await say(`flashcards on ${secret}`);
    // Nor what names it twice, or does not fit.
    await say(`flashcards on verbs or ${secret}, N4`);
    await say(`flashcards on ${secret}, N8`);
    for (const rows of [await gate.turns(), await gate.decisions(), await gate.runs()]) {
      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toContain(secret);
    }
    expect(log.lines("turn").length).toBeGreaterThan(1);
    expect(log.text()).not.toContain(secret);
  });

  it("is the system's no more once the model has taken another intent", async () => {
    const selects = says({ calls: [call("h", "select_intent", { intent: "HELP" })] });
    const { gate } = await studying({ policy: study({ strategy: "llm_first" }), upstream: [selects, worded] });
    const { say } = talk(gate);
    await say("flashcards for N4");
    await say("and the next one");
    expect(await outcomesOf(gate)).toEqual([
      ["llm_first", null],
      [null, null],
    ]);
  });
});

describe("the same request again", () => {
  it("goes on from the run, and the model still has no tools", async () => {
    const broken = () => new Response("{}", { status: 500 });
    const { gate, asked } = await studying({ upstream: [broken, worded] });
    expect((await ask(gate, hi, session)).status).toBe(500);
    expect((await ask(gate, hi, session)).text).toBe("Here they are.");
    expect([paths(asked), toolsSent(gate)]).toEqual([["study.test/cards"], [false, false]]);
    expect(outlineOf(gate.sent[1]).map((one) => one.replace(/\(.*/, ""))).toEqual(["user", "assistant", "tool"]);
    expect(await outcomesOf(gate)).toEqual([
      ["system_first", "ran"],
      ["system_first", "ran"],
    ]);
  });

  it("waits for the run of a try that is still under way, and runs nothing itself", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const { gate, asked } = await studying({}, async () => {
      begun.resolve();
      await promise;
      return { ok: true };
    });
    const first = gate.chat({ ...hi, stream: true }, session);
    await begun.promise;
    const second = gate.chat({ ...hi, stream: true }, session);
    await (await second).body?.getReader().read();
    resolve();
    await (await first).text();
    expect([paths(asked), toolsSent(gate).every((sent) => !sent)]).toEqual([["study.test/cards"], true]);
  });
});
