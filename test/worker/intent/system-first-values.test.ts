import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { Gateway } from "../support/gateway.ts";
import { ask, call, says, user } from "../support/script.ts";
import { captureLog } from "../telemetry/capture-log.ts";
import { outcomesOf, study, studyIntents, studying, studyTools, talk, toolsSent, worded } from "./system-first.ts";

const session = { "x-toolgate-session": "s" };
const question =
  /^To do this, 2 things are still missing:\n\n- `topic`: What the cards are about\n- `level`\n\nAnswer with the values, or as `topic: …, level: …`\. \*\*no\*\* drops it\.$/;
const bodies = (asked: readonly { body: unknown }[]) => asked.map(({ body }) => body);
const outcomes = async (gate: Gateway) => (await outcomesOf(gate)).map((one) => (one as unknown[])[1]);

describe("what the words do not give", () => {
  for (const stream of [true, false]) {
    it(`is asked for by its names, without the model; the answer goes on (stream ${stream})`, async () => {
      const { gate, asked } = await studying();
      const { say } = talk(gate);
      const first = await say("make me flashcards", { stream, stream_options: { include_usage: true } });
      expect(first.text).toMatch(question);
      expect([first.finish, first.note.stop_reason, gate.sent.length, asked]).toEqual(["stop", "completed", 0, []]);
      expect(first.note).toMatchObject({ awaiting: { tool: "make_cards", missing: ["topic", "level"] } });
      expect(first.usage).toEqual({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 });
      const second = await say("verbs, N3", { stream });
      expect([second.text, bodies(asked), toolsSent(gate)]).toEqual([
        "Here they are.",
        [{ topic: "verbs", level: "N3", count: 5 }],
        [false],
      ]);
      expect(second.note).not.toHaveProperty("awaiting");
      expect(await gate.turns()).toMatchObject([
        {
          usage: null,
          steps: 0,
          arm: "system_first",
          system_first: { outcome: "asked_values", missing: ["topic", "level"] },
        },
        { steps: 1, arm: "system_first", system_first: { outcome: "ran" } },
      ]);
    });
  }

  it.each([
    ["one word that the policy looks for", "kanji", { topic: "kanji" }],
    ["free text", "the history of Bern.", { topic: "the history of Bern" }],
    ["its name", "topic: trains, boats", { topic: "trains, boats" }],
    ["its name, and one more", "Topic = trains; count: 7", { topic: "trains", count: 7 }],
    ["a correction besides", "kanji, and N1 instead", { topic: "kanji", level: "N1" }],
    ["the whole wish once more", "flashcards on verbs", { topic: "verbs" }],
  ])("is given by %s", async (_, answer, given) => {
    const { gate, asked } = await studying();
    const { say } = talk(gate);
    await say("flashcards for N4");
    await say(answer);
    expect([bodies(asked), toolsSent(gate)]).toEqual([[{ level: "N4", count: 5, ...given }], [false]]);
  });

  it.each([
    ["never mind", ["system_first", null]],
    ["no, thanks", ["system_first", null]],
    ["ok", ["system_first", null]],
    ["what do you mean by that?", [null, null]],
    ["help me", [null, null]],
    ["N2", ["system_first", "left"]],
    ["none", ["system_first", "left"]],
    ["x".repeat(41), ["system_first", "left"]],
    ["x".repeat(501), [null, null]],
  ])("is not given by `%s`: the model goes on, and nothing is asked again", async (answer, recorded) => {
    const { gate, asked } = await studying();
    const { say } = talk(gate);
    await say("flashcards for N4");
    expect((await say(answer)).text).toBe("Here they are.");
    // What was dropped stays dropped.
    await say("kanji");
    expect([asked, toolsSent(gate)]).toEqual([[], [true, true]]);
    expect((await outcomesOf(gate))[1]).toEqual(recorded);
  });

  it("is told one by one, a number to the only number that was asked for", async () => {
    const { make_cards: cards, ...others } = studyTools;
    const required = ["topic", "count"];
    const properties = { topic: cards.parameters.properties.topic, count: { type: "integer" } };
    const tools = { ...others, make_cards: { ...cards, parameters: { type: "object", properties, required } } };
    const { gate, asked } = await studying({ policy: study({}, { tools }) });
    const { say } = talk(gate);
    expect((await say("flashcards")).text).toContain("as `topic: …, count: …`.");
    await say("old trains, 5");
    const alone = talk(gate, { "x-toolgate-session": "alone" });
    await alone.say("flashcards");
    await alone.say("5");
    expect(bodies(asked)).toEqual([{ topic: "old trains", count: 5 }]);
    expect((await gate.turns()).at(-1)).toMatchObject({ system_first: { outcome: "left", missing: ["topic"] } });
  });

  it("is read as the policy reads it in a wish: what is out of its range runs nowhere", async () => {
    const entities = { ...study().entities, topic: { normalise: ["lower"], synonyms: { verbs: ["doing words"] } } };
    const shown = { ...entities, count: { pattern: "\\b(\\d+) cards", type: "integer", max: 10 } };
    const { gate, asked } = await studying({ policy: study({}, { entities: shown }) });
    for (const answer of ["Doing Words", "topic: TRAINS; count: 10", "topic: verbs; count: 15"]) {
      const { say } = talk(gate, { "x-toolgate-session": answer.slice(-2) });
      await say("flashcards for N4");
      await say(answer);
    }
    expect([bodies(asked), toolsSent(gate)]).toEqual([
      [
        { level: "N4", topic: "verbs", count: 5 },
        { level: "N4", topic: "trains", count: 10 },
      ],
      [false, false, true],
    ]);
  });

  it("is left to the model where the policy says so, in JSON mode, and for what may not be called", async () => {
    const { gate } = await studying({ policy: study({ whenMissing: "model" }) });
    await ask(gate, { messages: [user("flashcards")] });
    const asking = await studying();
    await ask(asking.gate, { messages: [user("flashcards")], response_format: { type: "json_object" } });
    await ask(asking.gate, { messages: [user("a quiz")] });
    expect([toolsSent(gate), toolsSent(asking.gate)]).toEqual([[true], [true, true]]);
    expect([...(await outcomes(gate)), ...(await outcomes(asking.gate))]).toEqual(["left", "left", "left"]);
  });

  it("is asked in the user's language", async () => {
    const intents = { ...studyIntents, CARDS: { ...studyIntents.CARDS, keywords: ["単語カード", "闪卡"] } };
    const { gate } = await studying({ policy: study({}, { intents }) });
    expect((await ask(gate, { messages: [user("単語カードを作ってください")] })).text).toContain("あと 2 つ必要です");
    expect((await ask(gate, { messages: [user("请做闪卡")] })).text).toContain("还缺少 2 项");
  });

  it("is answered in a session that the client does not name", async () => {
    const { gate, asked } = await studying();
    const { say } = talk(gate, {});
    await say("flashcards for N4");
    await say("kanji");
    expect(bodies(asked)).toEqual([{ level: "N4", topic: "kanji", count: 5 }]);
  });
});

describe("a question that is open", () => {
  it("is the same for the same request, and its answer too goes on from what it did", async () => {
    const broken = () => new Response("{}", { status: 500 });
    const { gate, asked } = await studying({ upstream: [broken, worded] });
    const wish = [user("hi"), { role: "assistant", content: "Hello." }, user("flashcards for N4")];
    const first = await ask(gate, { messages: wish }, session);
    const again = await ask(gate, { messages: wish }, session);
    expect([again.text, gate.sent.length]).toEqual([first.text, 0]);
    const answer = { messages: [...wish, again.message, user("kanji")] };
    expect((await ask(gate, answer, session)).status).toBe(500);
    expect((await ask(gate, answer, session)).text).toBe("Here they are.");
    expect([asked.length, toolsSent(gate)]).toEqual([1, [false, false]]);
  });

  it("is found again by an answer whose turn died before it decided anything", async () => {
    const { gate, asked } = await studying();
    const wish = [user("flashcards for N4")];
    const first = await ask(gate, { messages: wish }, session);
    const answer = { messages: [...wish, first.message, user("kanji")] };
    const storage = (sql: string) => runInDurableObject(gate.stub, (_, state) => void state.storage.sql.exec(sql));
    await storage("CREATE TRIGGER moved BEFORE INSERT ON runs BEGIN SELECT RAISE(ABORT, 'moved'); END");
    expect((await ask(gate, answer, session)).status).toBe(503);
    await storage("DROP TRIGGER moved");
    await ask(gate, answer, session);
    expect([bodies(asked), toolsSent(gate)]).toEqual([[{ level: "N4", topic: "kanji", count: 5 }], [false]]);
  });

  it("ends with a reset", async () => {
    const { gate, asked } = await studying();
    const { say } = talk(gate);
    await say("flashcards for N4");
    await gate.fetch("/v1/sessions/s", { method: "DELETE" });
    await say("kanji");
    expect([asked, toolsSent(gate).at(-1)]).toEqual([[], true]);
  });

  it("outlives a request of the frontend's own under the same session id", async () => {
    const { gate, asked } = await studying();
    const { say } = talk(gate);
    await say("flashcards for N4");
    await ask(gate, { messages: [user("help me")] }, session);
    await say("kanji");
    expect(asked.length).toBe(1);
  });

  it.each(["Hello, what is your name?", ""])("is not answered by what follows other words: `%s`", async (content) => {
    const { gate, asked } = await studying();
    const first = await ask(gate, { messages: [user("flashcards for N4")] }, session);
    const other = [user("flashcards for N4"), first.message, user("hi"), { role: "assistant", content }];
    await ask(gate, { messages: [...other, user("Ada")] }, session);
    expect([asked, toolsSent(gate)]).toEqual([[], [true]]);
  });

  it("outlives a question to the gateway, which is no message", async () => {
    const { gate, asked } = await studying();
    const { say, history } = talk(gate);
    await say("flashcards for N4");
    await ask(gate, { messages: [...history, user("/toolgate status")] }, session);
    await say("kanji");
    expect(asked.length).toBe(1);
  });

  it("was asked of nobody where the reply did not get there", async () => {
    const { gate, asked } = await studying();
    const wish = [user("flashcards for N4")];
    const { message } = await ask(gate, { messages: wish }, { "x-toolgate-session": "another" });
    const gone = new AbortController();
    gone.abort();
    await gate
      .fetch("/v1/chat/completions", {
        json: { model: "m", messages: wish },
        headers: session,
        signal: gone.signal,
      })
      .catch(() => undefined);
    await gate.settle();
    await ask(gate, { messages: [...wish, message, user("kanji")] }, session);
    expect([asked, toolsSent(gate)]).toEqual([[], [true]]);
  });

  it("tells no log and no record what the policy redacts", async () => {
    const secret = "kanji";
    const log = captureLog();
    const entities = { ...study().entities, whose: { pattern: `${secret} of \\w+` } };
    const { gate, asked } = await studying({ policy: study({}, { entities }) });
    const { say } = talk(gate);
    await say(`flashcards on ${secret}`);
    await say(`level: N4, topic: "${secret} of Ada"`);
    expect(bodies(asked)).toEqual([{ level: "N4", topic: `${secret} of Ada`, count: 5 }]);
    await say("flashcards, N4");
    await say(`topic: ${secret} of Ada, count: many`);
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
