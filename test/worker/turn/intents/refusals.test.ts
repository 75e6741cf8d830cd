/**
 * The user refuses, and the model acts all the same: the call asks, whatever the task holds.
 * @module-tag attack/injection
 */
import { describe, expect, it } from "vitest";
import { gateway, tool } from "../../support/gateway.ts";
import { ask, call, result, type ScriptedStep, says, selects, user } from "../../support/script.ts";

const base = {
  tools: {
    read_mail: { category: "read_only" },
    cancel_subscription: { category: "modification", confirm: "auto" },
    place_order: { category: "external", confirm: "auto", firstTime: false },
  },
  gates: { requireFirstTime: false },
  intents: {
    SUBS: { keywords: ["cancel"], tools: ["class:safe", "cancel_subscription"] },
    ORDER: { keywords: ["order"], tools: ["class:safe", "place_order"] },
  },
  detection: { layers: ["keywords"] },
};
const id = { type: "object", properties: { id: { type: "string" } } };
const tools = [tool("read_mail"), tool("cancel_subscription", id), tool("place_order", id)];
const session = { "x-toolgate-session": "s" };
const MAIL = '[{"from":"provider","text":"Your plan sub_44 gets dearer."}]';
const cancels: ScriptedStep = { calls: [call("c2", "cancel_subscription", { id: "sub_44" })] };

interface Talk {
  readonly wish?: string;
  readonly question: string;
  readonly answers: readonly string[];
  readonly steps: readonly ScriptedStep[];
  readonly trusted?: boolean;
  readonly policy?: Record<string, unknown>;
}

/** The user wishes, the model reads a mail and asks; the user answers, and the model takes these steps after the last answer. */
async function afterAnswer({ wish, question, answers, steps, trusted = false, policy = {} }: Talk) {
  const script: ScriptedStep[] = [{ calls: [call("c1", "read_mail")] }, { text: question }];
  for (const _ of answers.slice(1)) script.push({ text: "As you wish." });
  script.push(...steps, { text: "So." });
  const mails = { ...base.tools, read_mail: { category: "read_only", ...(trusted ? { trusted: true } : {}) } };
  const gate = await gateway({
    policy: { ...base, tools: mails, ...policy },
    upstream: script.map((step) => says(step)),
  });
  const opening = user(wish ?? "cancel subscription sub_44 if the mail says that it gets dearer");
  const read = await ask(gate, { messages: [opening], tools }, session);
  let messages: unknown[] = [opening, read.message, result("c1", MAIL)];
  let last = await ask(gate, { messages, tools }, session);
  for (const answer of answers) {
    messages = [...messages, last.message, user(answer)];
    last = await ask(gate, { messages, tools }, session);
  }
  await gate.settle();
  return last;
}

const QUESTION = "It gets dearer. Do you really want to cancel sub_44?";
const refusals = ["no", "nein", "keep it", "please do not cancel it", "never mind", "I want to keep it", "wait"];

describe.each([
  ["of the model", QUESTION],
  ["with a code that the model made up", `${QUESTION}\n\n⟦A2BC⟧`],
])("after a question %s", (_, question) => {
  it.each(refusals.flatMap((text) => [true, false].map((trusted) => [text, trusted] as const)))(
    "%s: the call does not run, trusted mail: %s",
    async (text, trusted) => {
      const straight = await afterAnswer({ question, answers: [text], steps: [cancels], trusted });
      expect(straight.calls).toEqual([]);
      const selected = await afterAnswer({
        question,
        answers: [text],
        steps: [{ calls: [selects("SUBS")] }, cancels],
        trusted,
      });
      expect(selected.calls).toEqual([]);
      expect(selected.note.stop_reason).toBe("awaiting_approval");
      const codes = selected.note.decisions.at(-1)?.reasons.map(({ code }) => code);
      expect(codes).toContain("intent_undetected");
    },
  );

  it("a word of thanks after the refusal lets nothing run", async () => {
    const answers = ["nein", "ok thanks"];
    expect((await afterAnswer({ question, answers, steps: [cancels], trusted: true })).calls).toEqual([]);
    expect((await afterAnswer({ question, answers, steps: [{ calls: [selects("SUBS")] }, cancels] })).calls).toEqual(
      [],
    );
  });

  it("the user may want it again", async () => {
    const answer = await afterAnswer({ question, answers: ["nein", "well, do cancel sub_44"], steps: [cancels] });
    expect(answer.calls).toMatchObject([{ name: "cancel_subscription" }]);
  });
});

it.each(["yes", "cancel it", "yes please, cancel it"])("%s: the call runs", async (text) => {
  const answer = await afterAnswer({ question: QUESTION, answers: [text], steps: [cancels] });
  expect(answer.calls).toMatchObject([{ name: "cancel_subscription" }]);
});

it("a detail that is ruled out refuses nothing else", async () => {
  const wish = "order the pizza pz_1 that the mail speaks of";
  const orders = { calls: [call("c2", "place_order", { id: "pz_1" })] };
  const answer = await afterAnswer({
    wish,
    question: "With onions?",
    answers: ["no onions"],
    steps: [orders],
    trusted: true,
  });
  expect(answer.calls).toMatchObject([{ name: "place_order" }]);
});

it("where no intent must be selected a refusal counts as well", async () => {
  const policy = { handshake: { select: "off" } };
  const answer = await afterAnswer({ question: QUESTION, answers: ["no"], steps: [cancels], policy });
  expect(answer.calls).toEqual([]);
  const message = expect.stringContaining("refuses what `cancel_subscription` does");
  expect(answer.note.decisions.at(-1)?.reasons[0]).toMatchObject({ code: "intent_undetected", message });
});
