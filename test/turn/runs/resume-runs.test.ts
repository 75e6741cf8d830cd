/** A later try of a request whose earlier one died, as the ledger tells of it. */
import { expect, it } from "vitest";
import type { JsonObject } from "../../../src/lib/json/json-value.ts";
import { checkPolicy } from "../../../src/policy/check.ts";
import type { StoredRun } from "../../../src/ports/calls-port.ts";
import type { UserGuardPort } from "../../../src/ports/guard-port.ts";
import type { StepRequest } from "../../../src/ports/model-port.ts";
import type { Reply } from "../../../src/ports/reply-port.ts";
import type { Ending } from "../../../src/ports/turns/ending.ts";
import type { OpenResult } from "../../../src/ports/turns/open-turn-request.ts";
import type { CloseRequest, SaveHiddenRequest } from "../../../src/ports/turns/turns-port.ts";
import type { RunOutcome } from "../../../src/tools/run.ts";
import { runTurn } from "../../../src/turn/run-turn.ts";
import type { TurnInput } from "../../../src/turn/turn.ts";
import { readChatRequest } from "../../../src/wire/chat-request.ts";
import { readConversation } from "../../../src/wire/conversation.ts";
import { newEnvelope } from "../../../src/wire/envelope.ts";
import { openedTurn } from "../../support/opened-turn.ts";

const outcome = { status: "succeeded", text: "found", suspicious: [] } as unknown as RunOutcome;
const run = (callId: string, step: number, more: Partial<StoredRun> = {}): StoredRun => ({
  id: `dec_${callId}${step}`,
  callId,
  tool: "find",
  arguments: "{}",
  extra: undefined,
  step,
  ordinal: 0,
  status: "succeeded",
  entry: { kind: "http", target: "crm.test", deadline: 1_000, trusted: true },
  outcome,
  ...more,
});

/** @param told what the ledger says of runs that are waited for, one answer a question. */
async function resume(opened: Partial<OpenResult>, told: readonly (readonly StoredRun[])[] = []) {
  const kept: SaveHiddenRequest[] = [];
  const closed: CloseRequest[] = [];
  const steps: StepRequest[] = [];
  const awaited: (readonly string[])[] = [];
  let asked = 0;
  let now = 0;
  const turns = {
    open: async () => ({
      ...openedTurn,
      ...opened,
    }),
    saveHidden: async (request: SaveHiddenRequest) => void kept.push(request),
    close: async (request: CloseRequest) => void closed.push(request),
  };
  const wait = async (ids: readonly string[]) => {
    now += 10_000;
    awaited.push(ids);
    return told[Math.min(asked++, told.length - 1)];
  };
  const guard = { turns, runs: { wait } } as unknown as UserGuardPort;
  const checked = checkPolicy({ handshake: { select: "off" } }, "v1");
  const request = readChatRequest({ model: "m", messages: [{ role: "user", content: "go" }] }, false);
  if (!checked.ok || !request.ok) throw new Error("the test's policy or request is not valid");
  const calls: unknown[] = [];
  const reply = {
    envelope: newEnvelope(),
    opened() {},
    head() {},
    hold() {},
    say() {},
    stepEnded() {},
    finish: async (ending: Ending) => {
      if (ending.kind === "answer") calls.push(...ending.calls);
      return true;
    },
  } as unknown as Reply;
  const model = {
    step: async (step: StepRequest) => {
      steps.push(step);
      return { kind: "ended" as const, calls: [], finish: [], body: {}, text: "ok", reasoning: "" };
    },
  };
  const input = {
    id: "turn_1",
    policy: checked.value.policy,
    request: request.value,
    digest: "d",
    sessionId: "s",
    principal: { tenant: "t", user: "ada", role: "user", connections: [] },
    channel: "inline",
    headers: {},
    conversation: readConversation(request.value.messages),
    signal: new AbortController().signal,
  } as unknown as TurnInput;
  const detector = {
    detect: async () => ({
      intents: [],
      discounted: [],
      followUp: false,
      mayFollowUp: false,
      keepsTask: false,
      afterQuestion: false,
      entities: [],
      selectAt: 0.9,
      missed: [],
    }),
  };
  await runTurn({ guard, detector, model: model as never, now: () => now }, input, reply);
  const outline = ((steps[0]?.messages ?? []) as JsonObject[]).map(
    ({ role, tool_calls: made, tool_call_id: id }) =>
      id ?? (made as { id: string }[] | undefined)?.map((one) => one.id) ?? role,
  );
  return { kept, closed, steps, calls, awaited, outline, said: (steps[0]?.messages ?? []) as JsonObject[] };
}

it("calls that were made together stand together, a repeated id of a later step apart", async () => {
  const { outline } = await resume({ runs: [run("a", -2), run("b", -2), run("a", -1)] });
  expect(outline).toEqual(["user", ["a", "b"], "a", "b", ["a"], "a"]);
});

it("with calls that are given again they are kept for when those come back, where the earlier try could not", async () => {
  const replay = [{ id: "f", tool: "read", arguments: "{}", extra: undefined }];
  const { kept, steps, calls } = await resume({ runs: [run("a", -1)], replay });
  expect([steps.length, calls]).toEqual([0, replay]);
  expect(kept).toMatchObject([
    { hidden: [{ anchor: { ids: ["f"] }, messages: [{ role: "assistant" }, { content: "found" }] }] },
  ]);
});

it("one that is still started is waited for, past any number of answers that say nothing yet", async () => {
  const started = run("a", -1, {
    status: "started",
    outcome: undefined,
    entry: { ...run("a", 0).entry, deadline: 60_000 },
  });
  const { said, closed } = await resume({ runs: [started] }, [[started], [started], [run("a", -1)]]);
  expect(said.at(-1)?.content).toBe("found");
  expect(closed[0]?.retained?.length).toBe(1);
});

it("one that is still started is waited for, also where another of its step has ended", async () => {
  const started = run("b", -1, { status: "started", outcome: undefined });
  const ended = run("b", -1, { outcome: { ...outcome, text: "found too" } });
  const { awaited, outline, said } = await resume({ runs: [run("a", -1), started] }, [[ended]]);
  expect(awaited).toEqual([["dec_b-1"]]);
  expect(outline).toEqual(["user", ["a", "b"], "a", "b"]);
  expect(said.slice(-2).map(({ content }) => content)).toEqual(["found", "found too"]);
});

it("one that never gets an outcome is told as unknown, not as done and not as failed", async () => {
  const started = run("a", -1, { status: "started", outcome: undefined });
  const { said } = await resume({ runs: [started] }, [[started]]);
  expect(said.at(-1)?.content).toMatch(/not known whether this was done; do not do it again/);
});
