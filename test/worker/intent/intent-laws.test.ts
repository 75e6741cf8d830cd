/**
 * Laws of intents over conversations of several turns: what users write moves what is held, and nothing else does but the
 * handshake within its bounds. The oracle says the list at the head of `session/task.ts` again, in the plainest way. Whether a
 * message continues the task also depends on what the assistant last wrote, so the oracle takes that one answer from the detector.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Detection } from "../../../src/intent/detection.ts";
import { gateway, tool } from "../support/gateway.ts";
import { onceAScene } from "../support/once-a-scene.ts";
import { type Answer, ask, call, result, says, user } from "../support/script.ts";
import { notedDetector } from "./noted-detector.ts";

const toolsOf = {
  NOTE: ["note_write", "note_read"],
  FILE: ["file_write", "note_read"],
  PAY: ["pay_send"],
  TALK: [],
} as const;
type Intent = keyof typeof toolsOf;
const names = Object.keys(toolsOf) as Intent[];
const listed = ["note_write", "note_read", "file_write", "pay_send", "clock"];
const safe = ["note_read", "clock"];

const intents = Object.fromEntries(
  names.map((name) => [name, { keywords: [name.toLowerCase()], tools: toolsOf[name] }]),
);
const policy = {
  tools: Object.fromEntries(
    listed.map((name) => [
      name,
      { category: safe.includes(name) ? "read_only" : "modification", confirm: "auto", trusted: name === "clock" },
    ]),
  ),
  intents,
  detection: { layers: ["keywords"] },
  execution: { maxCorrections: 16 },
};

const said = fc.oneof(
  fc.subarray(names, { minLength: 1, maxLength: 2 }).map((some) => ({ kind: "wants" as const, intents: some })),
  fc.constantFrom({ kind: "follows" as const, intents: [] }, { kind: "nothing" as const, intents: [] }),
);
const made = fc.oneof(
  fc.constantFrom(...names).map((intent) => ({ name: "select_intent", args: { intent } })),
  fc.constantFrom(...listed, "made_up").map((name) => ({ name, args: {} })),
);
/** What others write, which must move nothing. */
const others = fc
  .subarray([...names.map((name) => `please do ${name} now`), "yes", "/toolgate reset"])
  .map((parts) => parts.join(". "));
const turn = fc.record({
  /** Undefined brings the results of the turn before, where it released calls. */
  message: fc.option(said, { nil: undefined }),
  steps: fc.array(fc.record({ text: others, calls: fc.array(made, { maxLength: 3 }) }), { minLength: 1, maxLength: 4 }),
  results: others,
});
const scenario = fc.record({ turns: fc.array(turn, { minLength: 1, maxLength: 6 }), stream: fc.boolean() });

const wordsOf = ({ kind, intents: wanted }: { kind: string; intents: readonly Intent[] }): string =>
  kind === "follows"
    ? "yes"
    : kind === "nothing"
      ? "the tides are high"
      : `please ${wanted.join(" and ")}`.toLowerCase();

interface Held {
  readonly held: readonly Intent[];
  /** What the user's words asked for in this task. */
  readonly detected: readonly Intent[];
  /** What the model selected after a result had come, and no words ask for. */
  readonly marked: readonly Intent[];
}

/** A new message, by the table. Whatever the assistant wrote, it can add no intent: it decides only whether the user's own ones stay. */
function afterMessage({ held, detected, marked }: Held, wanted: readonly Intent[], detection: Detection): Held {
  const all = [...new Set([...detected, ...wanted])];
  if (wanted.length === 0 && detection.followUp) return { held, detected, marked };
  if (wanted.length === 0) return { held: [], detected: [], marked: [] };
  if (!detection.keepsTask) return { held: wanted, detected: wanted, marked: [] };
  const kept = [...new Set([...held, ...wanted])].filter((name) => all.includes(name));
  return { held: kept, detected: all, marked: [] };
}

interface Played {
  /** The texts that were sent as new user messages. */
  readonly texts: readonly string[];
  readonly asked: readonly string[];
  readonly turns: readonly {
    readonly answer: Answer;
    /** By the table, when the turn opened. */
    readonly opened: readonly Intent[];
    /** When its last step was sent, and so what its calls are judged by; and once it was decided. */
    readonly sent: readonly Intent[];
    readonly held: readonly Intent[];
  }[];
}

async function play({ turns, stream }: typeof scenario extends fc.Arbitrary<infer T> ? T : never): Promise<Played> {
  let state: Held = { held: [], detected: [], marked: [] };
  let wanted: readonly Intent[] = [];
  let opened: readonly Intent[] = [];
  const detector = notedDetector(({ assistant }, detection) => {
    expect(assistant).toBe(last && ((last.message as { content: string | null }).content ?? ""));
    expect(detection.intents.map(({ name }) => name).sort()).toEqual([...wanted].sort());
    state = afterMessage(state, wanted, detection);
    opened = state.held;
  });
  let steps: (typeof turns)[number]["steps"] = [];
  let [taken, ids] = [0, 0];
  let sent: readonly Intent[] = [];
  let untrusted = false;
  const gate = await gateway({
    policy,
    detector: detector.wrap,
    upstream: (body, request) => {
      sent = state.held;
      const step = steps[taken++] ?? { text: "done", calls: [] };
      const calls = step.calls.map(({ name, args }) => call(`c${ids++}`, name, args));
      const chosen = calls.flatMap(({ args }) => (args as { intent?: Intent }).intent ?? []);
      for (const one of chosen) {
        if (state.held.includes(one)) continue;
        const marked = untrusted && !state.detected.includes(one);
        state = { ...state, held: [...state.held, one], marked: marked ? [...state.marked, one] : state.marked };
      }
      return says({ text: step.text, calls })(body, request);
    },
  });
  const messages: unknown[] = [];
  const texts: string[] = [];
  const played: { answer: Answer; opened: readonly Intent[]; sent: readonly Intent[]; held: readonly Intent[] }[] = [];
  let last: Answer | undefined;
  for (const { message, steps: script, results } of turns) {
    const pending = last?.calls ?? [];
    messages.push(...pending.map(({ id }) => result(id, results)));
    if (pending.some(({ name }) => name !== "clock")) untrusted = true;
    if (message === undefined && pending.length === 0) continue;
    if (message) {
      const text = wordsOf(message);
      messages.push(user(text));
      texts.push(text);
      wanted = message.intents;
    }
    [steps, taken] = [script, 0];
    opened = state.held;
    last = await ask(
      gate,
      { messages, tools: listed.map((name) => tool(name)), stream },
      { "x-toolgate-session": "s" },
    );
    expect(last.status).toBe(200);
    messages.push(last.message);
    await gate.settle();
    played.push({ answer: last, opened, sent, held: state.held });
  }
  return { texts, asked: detector.asked, turns: played };
}

const playOnce = onceAScene(play);
const holds = (law: (played: Played) => void): Promise<void> =>
  fc.assert(
    fc.asyncProperty(scenario, async (scene) => law(await playOnce(scene))),
    { numRuns: 60 },
  );
const timeout = { timeout: 120_000 };

it("no_call_outside_the_united_permissions_of_the_held_intents_is_released", timeout, () =>
  holds(({ turns }) => {
    for (const { answer, sent } of turns) {
      const permitted: readonly string[] = sent.length > 0 ? sent.flatMap((name) => toolsOf[name]) : safe;
      for (const { name } of answer.calls) expect(permitted).toContain(name);
    }
  }),
);

it("what_is_held_follows_from_the_users_words_and_the_handshake_alone", timeout, () =>
  holds(({ turns }) => {
    for (const { answer, opened, held } of turns) {
      const told = answer.headers.get("x-toolgate-intent")?.split(", ") ?? [];
      expect([...told].sort()).toEqual([...opened].sort());
      expect(answer.note.intent === null ? [] : [answer.note.intent]).toEqual(
        held.length === 0 ? [] : [expect.toBeOneOf([...held])],
      );
    }
  }),
);

it("nothing_but_new_user_messages_is_detected_in_each_once", timeout, () =>
  holds(({ texts, asked }) => {
    expect(asked).toEqual(texts);
  }),
);
