import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Approval } from "../../../src/approvals/approval.ts";
import type { Reply } from "../../../src/ports/reply-port.ts";
import { holdFor } from "../../../src/turn/confirm/hold.ts";
import type { Turn } from "../../../src/turn/turn.ts";
import type { TurnDeps } from "../../../src/turn/turn-deps.ts";

const approval = (id: string, status: Approval["status"] = "pending") => ({ id, status }) as Approval;
const asked = [approval("a"), approval("b")];

/** Holds a reply whose approvals are told by these answers, one after the other; the last one repeats. */
function start(answers: readonly (() => Promise<readonly Approval[]>)[]) {
  const abort = new AbortController();
  const asks: (readonly string[])[] = [];
  const marks: string[] = [];
  const approvals = {
    wait: (ids: readonly string[]) => {
      const answer = answers[Math.min(asks.length, answers.length - 1)];
      asks.push(ids);
      return answer?.() ?? Promise.reject(new Error("unasked"));
    },
  };
  const guard = { approvals };
  const observer = {
    holdBegan: () => {
      marks.push("began");
      return () => marks.push("ended");
    },
  };
  const turn = { input: { signal: abort.signal }, log: { waiting: [] } } as unknown as Turn;
  const reply = { hold: () => marks.push("hold") } as unknown as Reply;
  const held = holdFor({ guard, observer } as unknown as TurnDeps, turn, asked, reply);
  return { held, abort, asks, marks, turn };
}

const never = () => new Promise<never>(() => {});
const tells =
  (...approvals: Approval[]) =>
  async () =>
    approvals;
const fails = () => Promise.reject(new Error("the object was reset"));

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, "warn").mockImplementation(() => {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("a reply that is held", () => {
  it("asks on until none is pending, and tells them in their order", async () => {
    const { held, asks, marks, turn } = start([
      tells(approval("a"), approval("b")),
      tells(approval("b", "denied"), approval("a")),
      tells(approval("b", "denied"), approval("a", "approved")),
    ]);
    expect(await held).toEqual([approval("a", "approved"), approval("b", "denied")]);
    expect([asks.length, marks, turn.log.waiting]).toEqual([3, ["hold", "began", "ended"], asked]);
  });

  it("takes one that is told no more for cancelled", async () => {
    const { held } = start([tells(approval("b", "approved"))]);
    expect(await held).toEqual([approval("a", "cancelled"), approval("b", "approved")]);
  });

  it("ends at once when its client goes away", async () => {
    const { held, abort, marks } = start([never]);
    abort.abort();
    expect(await held).toBeUndefined();
    expect(marks.at(-1)).toBe("ended");
  });

  it("outlives an object that is moved or restarted", async () => {
    const { held } = start([
      fails,
      fails,
      fails,
      fails,
      fails,
      tells(approval("a", "approved"), approval("b", "denied")),
    ]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await held).toHaveLength(2);
  });

  it("gives up on one that stays away, and then releases nothing", async () => {
    const { held } = start([fails]);
    const ending = expect(held).rejects.toThrow("could not be waited for");
    await vi.advanceTimersByTimeAsync(5_000);
    await ending;
  });
});
