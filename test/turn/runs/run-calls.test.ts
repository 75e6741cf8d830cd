import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { checkPolicy } from "../../../src/policy/check.ts";
import type { FinishRun, StoredRun } from "../../../src/ports/calls-port.ts";
import type { UserGuardPort } from "../../../src/ports/guard-port.ts";
import type { OpenResult } from "../../../src/ports/turns/open-turn-request.ts";
import type { RunEntry, RunOutcome } from "../../../src/tools/run.ts";
import type { ManagedTools, ToolRunner } from "../../../src/tools/tool-runner.ts";
import { runCalls } from "../../../src/turn/runs/run-calls.ts";
import type { VettedCall } from "../../../src/turn/step/vetted-call.ts";
import { newTurn, type Turn, type TurnInput } from "../../../src/turn/turn.ts";
import { readChatRequest } from "../../../src/wire/chat-request.ts";
import { readConversation } from "../../../src/wire/conversation.ts";
import { openedTurn } from "../../support/opened-turn.ts";

const entry = (over: Partial<RunEntry> = {}): RunEntry => ({
  kind: "http",
  target: "crm.test",
  deadline: Date.now() + 30_000,
  trusted: true,
  ...over,
});
const done: RunOutcome = {
  status: "succeeded",
  failure: null,
  detail: null,
  text: "done",
  result: "done",
  ms: 3,
  bytes: 4,
  cut: false,
  suspicious: [],
  httpStatus: 200,
  attempts: 1,
};
const due = (id: string, runEntry = entry()): VettedCall => ({
  id,
  modelCall: { id: `c_${id}`, name: "find", arguments: "{}", extra: undefined },
  vettedArguments: "{}",
  effect: "allow",
  reasons: [],
  ordinal: -1,
  handshake: false,
  runEntry,
});
const asKept = (call: VettedCall, outcome: RunOutcome): StoredRun => ({
  id: String(call.id),
  callId: call.modelCall.id,
  tool: "find",
  arguments: "{}",
  extra: undefined,
  step: 1,
  ordinal: 0,
  status: outcome.status,
  entry: call.runEntry as RunEntry,
  outcome,
});

function turnOf(signal: AbortSignal): Turn {
  const checked = checkPolicy({ tools: { find: { category: "read_only" } }, families: { crm: ["find"] } }, "v1");
  const request = readChatRequest({ model: "m", messages: [{ role: "user", content: "go" }] }, false);
  if (!checked.ok || !request.ok) throw new Error("the test's policy or request is not valid");
  const { policy } = checked.value;
  const input = {
    id: "turn_1",
    principal: { tenant: "t", user: "ada", role: "user", connections: ["mail"], authenticated: true },
    policy,
    managed: { policy, definitions: [], names: new Set(["find"]), changed: new Set() } satisfies ManagedTools,
    request: request.value,
    conversation: readConversation(request.value.messages),
    signal,
  } as unknown as TurnInput;
  const opened: OpenResult = {
    ...openedTurn,
    connections: ["crm"],
  };
  return newTurn(input, opened);
}

/** @param finish answers the ledger's, in order; the last one repeats. */
function world(
  finish: readonly (() => StoredRun)[],
  calls: readonly VettedCall[],
  signal = new AbortController().signal,
  meanwhile: () => Promise<void> = async () => {},
) {
  const noted: FinishRun[] = [];
  const ran: unknown[] = [];
  const runs = {
    finish: async (request: FinishRun) => {
      noted.push(request);
      return (finish[noted.length - 1] ?? finish.at(-1))?.();
    },
  };
  const guard = { runs } as unknown as UserGuardPort;
  const tools = {
    run: async ({ id, principal }) => {
      ran.push([id, principal.connections]);
      await meanwhile();
      return done;
    },
  } as Partial<ToolRunner> as ToolRunner;
  const turn = turnOf(signal);
  const deps = { guard, tools, model: {} as never, detector: {} as never, now: () => Date.now() };
  const running = runCalls(deps, turn, { hold() {}, say() {} }, calls);
  return { turn, noted, ran, running };
}

const moved = () => {
  throw new Error("the object was moved");
};

it("many calls of one step are run a few at a time, each once, in their order", async () => {
  const calls = Array.from({ length: 50 }, (_, at) => due(`r${at}`));
  let [under, most, began] = [0, 0, 0];
  const { running, ran, turn } = world(
    calls.map((call) => () => asKept(call, done)),
    calls,
    undefined,
    async () => {
      most = Math.max(most, ++under);
      if (++began % 5 === 0) await new Promise((resolve) => setTimeout(resolve));
      under -= 1;
    },
  );
  expect(await running).toMatchObject({ ok: true });
  expect([ran.length, most > 1 && most <= 8]).toEqual([50, true]);
  expect(turn.log.managedExchanges[0]?.flatMap(({ tool_call_id: id }) => id ?? [])).toEqual(
    calls.map(({ modelCall }) => modelCall.id),
  );
});

describe("a run whose outcome the ledger does not take", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("is told again, and the turn goes on with what the ledger says", async () => {
    const call = due("a");
    const { running, noted, ran, turn } = world([moved, moved, () => asKept(call, done)], [call]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await running).toMatchObject({ ok: true, value: [{ storedRun: { status: "succeeded" } }] });
    expect([noted.length, ran]).toEqual([3, [["a", ["mail", "crm"]]]]);
    expect([[...turn.log.succeeded], turn.log.untrusted, turn.log.managedExchanges.length]).toEqual([
      ["crm"],
      false,
      1,
    ]);
  });

  it("ends the turn where it never does: nobody is told an outcome that no retry would find", async () => {
    const { running, noted, turn } = world([moved], [due("a")]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await running).toMatchObject({ ok: false, error: { kind: "error", status: 503 } });
    expect([noted.length, turn.log.runs, turn.log.succeeded.size]).toEqual([4, [], 0]);
  });

  it("is not told again once its time in the ledger is over", async () => {
    const { running, noted } = world([moved], [due("a", entry({ deadline: Date.now() + 500 }))]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await running).ok).toBe(false);
    expect(noted.length).toBe(2);
  });

  it("does not keep the others of its step from being noted", async () => {
    const [a, b] = [due("a"), due("b")];
    const { running, noted, turn } = world([() => asKept(a, done), moved], [a, b]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await running).ok).toBe(false);
    expect([noted[0]?.id, turn.log.runs.map(({ id }) => id)]).toEqual(["a", ["a"]]);
  });
});

describe("what the ledger says of a run", () => {
  it("is what counts, whatever the tool has said: one that came too late is unknown", async () => {
    const call = due("a", entry({ trusted: false }));
    const late: RunOutcome = { ...done, status: "unknown", text: "nobody knows" };
    const { running, turn } = world([() => asKept(call, late)], [call]);
    expect(await running).toMatchObject({ ok: true, value: [{ storedRun: { status: "unknown" } }] });
    expect([turn.log.succeeded.size, turn.log.untrusted, turn.log.runs[0]?.status]).toEqual([0, true, "unknown"]);
  });

  it("is that nothing was begun where the client had gone before", async () => {
    const call = due("a");
    const { running, noted, ran } = world([() => asKept(call, done)], [call], AbortSignal.abort());
    expect(await running).toMatchObject({ ok: false, error: { stopReason: "aborted" } });
    expect([ran, noted[0]?.outcome]).toMatchObject([[], { status: "not_started", failure: "cancelled" }]);
  });

  it("is not asked for calls that the client runs, nor waited for", () => {
    const { running: _running, ...rest } = world([], [{ ...due("a"), runEntry: undefined }]);
    expect([rest.noted, rest.ran]).toEqual([[], []]);
  });
});
