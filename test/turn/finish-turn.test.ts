import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { workBudget } from "../../src/lib/work-budget.ts";
import type { DetectorPort } from "../../src/ports/detector-port.ts";
import type { UserGuardPort } from "../../src/ports/guard-port.ts";
import type { ModelPort, StepOutcome } from "../../src/ports/model-port.ts";
import type { Reply } from "../../src/ports/reply-port.ts";
import type { Ending } from "../../src/ports/turns/ending.ts";
import type { CloseRequest, TurnsPort } from "../../src/ports/turns/turns-port.ts";
import { runTurn } from "../../src/turn/run-turn.ts";
import { readChatRequest } from "../../src/wire/chat-request.ts";
import { readConversation } from "../../src/wire/conversation.ts";
import { newEnvelope } from "../../src/wire/envelope.ts";
import { openedTurn } from "../support/opened-turn.ts";
import { policyOf } from "../support/policy.ts";

const ORDINAL = 7;
const read = { id: "c1", name: "read_file", arguments: "{}", extra: undefined };

const policy = policyOf({ handshake: { select: "off" }, tools: { read_file: { category: "read_only" } } });

const ended = (calls: Extract<StepOutcome, { kind: "ended" }>["calls"]): StepOutcome => ({
  kind: "ended",
  calls,
  finish: [],
  closing: undefined,
  body: {},
  finishReason: calls.length > 0 ? "tool_calls" : "stop",
  usage: undefined,
  text: "",
  reasoning: "",
});

/** Runs one turn; tells in which order the guard and the reply were called, and how the turn was recorded. */
async function play(
  finish: (ending: Ending) => Promise<boolean>,
  calls = [read],
  keep?: () => Promise<void>,
  {
    outcome = ended(calls),
    decided,
    sentAt,
    opens,
  }: { outcome?: StepOutcome; decided?: () => Promise<void>; sentAt?: number; opens?: () => Promise<void> } = {},
) {
  const log: string[] = [];
  const records: CloseRequest[] = [];
  const turns: TurnsPort = {
    open: async () => {
      await opens?.();
      return openedTurn;
    },
    decide: async ({ calls: asked }) => {
      await decided?.();
      return asked.map(({ effect, reasons }) => ({
        id: "dec",
        effect,
        reasons,
        ordinal: effect === "allow" ? ORDINAL : undefined,
      }));
    },
    saveHidden: async () => {
      log.push("keep");
      await keep?.();
    },
    close: async (request) => {
      log.push(request.giveBack ? "close, give back" : "close");
      records.push(request);
    },
  };
  const guard = { turns } as Partial<UserGuardPort> as UserGuardPort;
  const body = {
    model: "m",
    messages: [{ role: "user", content: "go" }],
    tools: [{ type: "function", function: { name: "read_file", parameters: { type: "object" } } }],
  };
  const request = readChatRequest(body, true);
  if (!request.ok) throw new Error(request.error.message);
  const reply: Reply = {
    envelope: newEnvelope(),
    firstByteAt: sentAt,
    words: { write() {}, full: false, ready: async () => {}, started: false },
    opened() {},
    head() {},
    hold() {},
    say() {},
    stepEnded() {},
    finish: async (ending) => {
      log.push(`finish ${ending.stopReason}`);
      return finish(ending);
    },
  };
  const model: ModelPort = { step: async () => outcome };
  const detector: DetectorPort = {
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
  await runTurn(
    { guard, model, detector, now: () => 0 },
    {
      id: "turn_1",
      principal: { tenant: "t", user: "ada", role: "user", connections: [], authenticated: true } as never,
      policy,
      includeRuns: false,
      request: request.value,
      conversation: readConversation(request.value.messages),
      digest: "d",
      clientRetry: false,
      work: workBudget(),
      sessionId: "s",
      mode: undefined,
      reset: false,
      channel: "inline",
      headers: {},
      signal: new AbortController().signal,
    },
    reply,
  );
  return { log, records: records.map(({ record }) => record.stopReason) };
}

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe("a turn that released a call", () => {
  it("is recorded once its reply has arrived", async () => {
    expect(await play(async () => true)).toEqual({ log: ["finish completed", "close"], records: ["completed"] });
  });

  it("is recorded as aborted if its reply has not, and gives the use back", async () => {
    expect(await play(async () => false)).toEqual({
      log: ["finish completed", "close, give back"],
      records: ["aborted"],
    });
  });

  it("gives the use back if its reply could not be written, and the client is told", async () => {
    const broken = async ({ kind }: Ending) => {
      if (kind === "answer") throw new Error("a bug");
      return false;
    };
    expect(await play(broken)).toEqual({
      log: ["finish completed", "finish gateway_error", "close, give back"],
      records: ["gateway_error"],
    });
  });

  it("gives nothing back if its reply broke after bytes of it went out: the client may hold the call", async () => {
    const broken = async ({ kind }: Ending) => {
      if (kind === "answer") throw new Error("a bug");
      return false;
    };
    expect(await play(broken, [read], undefined, { sentAt: 1 })).toEqual({
      log: ["finish completed", "finish gateway_error", "close"],
      records: ["gateway_error"],
    });
  });

  it("is recorded also if its reply cannot be ended at all", async () => {
    const broken = async () => {
      throw new Error("a bug");
    };
    expect(await play(broken)).toEqual({
      log: ["finish completed", "finish gateway_error", "close, give back"],
      records: ["gateway_error"],
    });
  });

  it("releases nothing if what it hides could not be kept", async () => {
    const refused = { ...read, id: "c0", name: "unheard_of" };
    const fine = await play(async () => true, [refused, read]);
    expect(fine).toEqual({ log: ["keep", "finish completed", "close"], records: ["completed"] });
    const lost = async () => {
      throw new Error("the object was reset");
    };
    // Also where words of it went out before.
    for (const sentAt of [undefined, 1]) {
      expect(await play(async () => true, [refused, read], lost, { ...(sentAt ? { sentAt } : {}) })).toEqual({
        log: ["keep", "finish gateway_error", "close, give back"],
        records: ["gateway_error"],
      });
    }
  });
});

describe("a turn that released none", () => {
  it("is recorded as aborted if its reply has not arrived", async () => {
    expect(await play(async () => false, [])).toEqual({
      log: ["finish completed", "close, give back"],
      records: ["aborted"],
    });
  });
});

describe("a turn whose step broke off after a call had begun", () => {
  const outcome: StepOutcome = { kind: "disorderly", detail: "it broke off", error: undefined, begun: ["read_file"] };
  const unreached = async () => false;

  it("is closed only once the refusal is recorded: a turn that is closed decides nothing", async () => {
    let recorded = false;
    const told = Promise.withResolvers<void>();
    const decided = async () => {
      // The client does not wait for it.
      await told.promise;
      recorded = true;
    };
    const finish = async () => {
      expect(recorded).toBe(false);
      told.resolve();
      return false;
    };
    const { log } = await play(finish, [], undefined, { outcome, decided });
    expect([log, recorded]).toEqual([["finish upstream_error", "close, give back"], true]);
  });

  it("is closed even if the refusal could not be recorded", async () => {
    const decided = async () => {
      throw new Error("the object was reset");
    };
    expect(await play(unreached, [], undefined, { outcome, decided })).toEqual({
      log: ["finish upstream_error", "close, give back"],
      records: ["upstream_error"],
    });
  });
});

it("a turn that cannot be opened, in a reply that cannot be ended, throws nothing", async () => {
  const broken = async () => {
    throw new Error("a bug");
  };
  expect(await play(broken, [], undefined, { opens: broken })).toEqual({ log: ["finish gateway_error"], records: [] });
});
