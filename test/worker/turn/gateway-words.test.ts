/** Answers that the gateway words itself: what OpenAI's schema requires of them, and whose name they bear. */
import { describe, expect, it } from "vitest";
import { asking, chat, done, edits, hi, policy, says1, tools } from "../approvals/approvals.ts";
import { gateway } from "../support/gateway.ts";
import { type Answer, ask, user } from "../support/script.ts";

interface Choice {
  readonly message: Record<string, unknown>;
}

const choiceOf = ({ body }: Answer) => (body.choices as readonly Choice[])[0];
const modelsOf = ({ events }: Answer) =>
  new Set(events.flatMap(({ json }) => (json as { model?: string } | undefined)?.model ?? []));

/** Every member that the schema requires of a choice and its message. */
function expectWhole(answer: Answer, message: object): void {
  expect(choiceOf(answer)).toMatchObject({ index: 0, logprobs: null, finish_reason: expect.any(String) });
  expect(choiceOf(answer)?.message).toMatchObject({ role: "assistant", ...message });
  expect(Object.keys(choiceOf(answer)?.message ?? {})).toEqual(expect.arrayContaining(["content", "refusal"]));
}

describe("a JSON answer of the gateway's own words", () => {
  it("is whole: a question, and the call that a yes releases", async () => {
    const talk = chat(await asking([says1(edits()), done]));
    expectWhole(await talk.say("please change my note"), { refusal: null, content: expect.stringContaining("yes") });
    const yes = await talk.say("yes");
    expect(yes.calls).toMatchObject([{ name: "edit_note" }]);
    expectWhole(yes, { refusal: null, content: null });
  });

  it("is whole: a command, and a refusal in JSON mode", async () => {
    const gate = await asking([says1(edits())], { execution: { maxCorrections: 0 } });
    expectWhole(await ask(gate, { messages: [user("/toolgate status")] }), { refusal: null });
    const json = { messages: [hi], tools, response_format: { type: "json_object" } };
    expectWhole(await ask(gate, json), { refusal: expect.stringContaining("edit_note") });
  });
});

describe("a command", () => {
  it.each([
    ["bitte ändere meine Notiz", "eines davon schreiben", "Absicht: keine", "Neuanfang, nichts wartet mehr"],
    ["por favor cambia mi nota", "se escribe una de estas órdenes", "intención: ninguna", "se empieza de nuevo"],
    ["请修改我的笔记", "只写其中一个", "意图: 无", "已重新开始"],
    ["please change my note", "write one of these", "intent: none", "we start afresh"],
  ])("is answered in the language of the conversation: %s", async (text, help, status, reset) => {
    const talk = chat(await asking([done]));
    await talk.say(text);
    expect((await talk.say("/toolgate help")).text).toContain(help);
    expect((await talk.say("/toolgate status")).text).toContain(status);
    expect((await talk.say("/toolgate reset")).text).toContain(reset);
  });

  it("names the words that answer a question in that language", async () => {
    const talk = chat(await asking([done]));
    await talk.say("bitte ändere meine Notiz");
    expect((await talk.say("/toolgate help")).text).toContain("`bearbeiten feld=wert`");
  });
});

describe("the model's name", () => {
  const status = { messages: [user("/toolgate status")] };

  it("is the same in a stream and in JSON: the client's, unless the settings replace it", async () => {
    for (const [model, variables] of [
      ["test-model", {}],
      ["gpt-mine", { UPSTREAM_MODEL: "gpt-mine" }],
    ] as const) {
      const gate = await gateway({ policy, upstream: done, variables });
      expect((await ask(gate, status)).body.model).toBe(model);
      expect(modelsOf(await ask(gate, { ...status, stream: true }))).toEqual(new Set([model]));
    }
  });
});
