import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ApprovalView, ArgumentView } from "../../src/api-views/approval-views.ts";
import { readFailure } from "../../src/console/api/call.ts";
import { inboxOrder, latest, neighbourOf } from "../../src/console/inbox/approvals.ts";
import { continuationText, planStepText } from "../../src/console/inbox/card/approval-card.tsx";
import { grantBody } from "../../src/console/inbox/card/grant-panel.tsx";
import { fieldErrors } from "../../src/console/inbox/card/panels.tsx";
import { shownValues, unseenValues } from "../../src/console/inbox/card/values.tsx";
import { readEvents } from "../../src/console/inbox/connection.ts";
import { en } from "../../src/console/texts/en.ts";

const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000).toISOString();

const asked = (id: string, created: number, expires: number, more: Partial<ApprovalView> = {}) =>
  ({
    id,
    status: "pending",
    created_at: at(created),
    expires_at: at(expires),
    settled_by: null,
    ...more,
  }) as ApprovalView;

describe("the order", () => {
  test("urgent ones by their end, then the others, newest first", () => {
    const all = [
      asked("old", 0, 86_400),
      asked("late", 10, 10 + 60),
      asked("new", 20, 86_400),
      asked("soon", 15, 15 + 30),
    ];
    expect(inboxOrder(all).map(({ id }) => id)).toEqual(["soon", "late", "new", "old"]);
  });

  test("the focus goes to the next call, or back from the last", () => {
    expect(neighbourOf(["a", "b", "c"], "b")).toBe("c");
    expect(neighbourOf(["a", "b", "c"], "c")).toBe("b");
    expect(neighbourOf(["a"], "a")).toBeUndefined();
    expect(neighbourOf(["a"], "x")).toBeUndefined();
  });
});

describe("a step of a plan", () => {
  const plan = { id: "plan_1", step: "send", step_number: 1, total_steps: 2 };

  test("says which one it is, and that the plan goes on, and no chat", () => {
    const call = asked("a", 0, 100, { channel: "native", plan });
    expect(planStepText(call, en)).toBe("Step 1 of 2 of a plan");
    expect(continuationText(call, en)).toBe("Your answer is kept; the call runs when the plan is run again.");
    expect(continuationText({ ...call, channel: "hold" }, en)).toContain("plan’s run waits");
  });

  test("is what no other call is", () => {
    const call = asked("a", 0, 100, { channel: "native", plan: null });
    expect([planStepText(call, en), continuationText(call, en)]).toEqual([undefined, en.card.channel.native]);
  });
});

test("whose chat goes on is said to who looks on", () => {
  const call = asked("a", 0, 100, { channel: "inline", plan: null });
  expect(continuationText(call, en)).toContain("Once you have answered, write “continue” there.");
  expect(continuationText(call, en, "bob")).toContain("bob must write “continue” there.");
});

describe("what is told later", () => {
  const pending = asked("a", 0, 100);
  const approved = asked("a", 0, 100, { status: "approved" });
  const settled = asked("a", 0, 100, { status: "approved", settled_by: "dec_1" });

  test("an answered call never waits again, whatever comes in last", () => {
    expect(latest(approved, pending)).toBe(approved);
    expect(latest(settled, approved)).toBe(settled);
    expect(latest(pending, approved)).toBe(approved);
    expect(latest(undefined, pending)).toBe(pending);
  });
});

describe("server-sent events", () => {
  const stream = (...chunks: string[]) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
        controller.close();
      },
    });
  const all = async (body: ReadableStream<Uint8Array>, silence = 1000) => {
    const events = [];
    for await (const event of readEvents(body, silence)) events.push(event);
    return events;
  };

  test("a block is an event where it has data", async () => {
    const text = ": keep-alive\n\nid: 7\n\nevent: x\nid: 7\ndata: a: b\ndata:c\n\n";
    expect(await all(stream(text))).toEqual(["a: b\nc"]);
  });

  test("events are whole however the bytes are cut", async () => {
    const text = 'retry: 2000\n\nevent: approval.asked\ndata: {"é":1}\n\n: keep-alive\n\ndata: 2\r\n\r\ndata: cut';
    const bytes = [...text];
    const expected = ['{"é":1}', "2"];
    expect(await all(stream(text))).toEqual(expected);
    expect(await all(stream(...bytes))).toEqual(expected);
  });

  test("a body that has gone silent ends", async () => {
    expect(await all(new ReadableStream(), 5)).toEqual([]);
  });

  test("a body that breaks off ends", async () => {
    const broken = new ReadableStream<Uint8Array>({ start: (controller) => controller.error(new Error("cut")) });
    expect(await all(broken)).toEqual([]);
  });
});

describe("failures", () => {
  test("the gateway's words, or none where somebody else answered", () => {
    const error = { message: "no", code: "approval_settled", param: "id", errors: [{ path: "/a", message: "b" }, 7] };
    expect(readFailure(409, { error })).toEqual({
      kind: "refused",
      status: 409,
      ...error,
      errors: [{ path: "/a", message: "b" }],
    });
    for (const body of [undefined, null, "bad gateway", { error: "x" }, []])
      expect(readFailure(502, body)).toEqual({
        kind: "refused",
        status: 502,
        code: "",
        message: "",
        param: null,
        errors: [],
      });
  });

  test("stand at the field that they are about", () => {
    const errors = ["/title", "/arguments/title", "arguments/place/folder", "title", ""].map((path) => ({
      path,
      message: "m",
    }));
    const failure = readFailure(400, { error: { errors } });
    expect(fieldErrors(failure).map(([path]) => path)).toEqual(["/title", "/title", "/place/folder"]);
    expect(fieldErrors({ kind: "unreachable" })).toEqual([]);
  });
});

test("a grant is bound to the values that were chosen", () => {
  expect(grantBody("session", [], { a: 1 })).toEqual({ until: "session" });
  expect(grantBody("open", ["a"], { a: 1, b: 2 })).toEqual({ until: "withdrawn", arguments: { a: { equals: 1 } } });
});

describe("the values of a call", () => {
  const argument = (name: string, more: Partial<ArgumentView> = {}): ArgumentView => ({
    name,
    value: "",
    escaped: false,
    cut: null,
    redacted: false,
    private: false,
    ...more,
  });
  const values = (args: unknown, ...told: readonly ArgumentView[]) =>
    shownValues({ arguments: args, details: { arguments: told } as unknown as ApprovalView["details"] });

  test("are shown whole, as they are laid out, in the order in which the gateway tells them", () => {
    const shown = values({ b: "x\n  y\n", a: [1] }, argument("a"), argument("b"));
    expect(shown.map(({ name, text, isJson }) => [name, text, isJson])).toEqual([
      ["a", "[1]", true],
      ["b", "x\n  y⏎", false],
    ]);
    expect(values({ text: "y".repeat(40_500) })[0]).toMatchObject({ isLong: true, characters: 40_500 });
  });

  test("hold nothing that is not seen", () => {
    for (const hidden of [
      "\u061c",
      "\u200b",
      "\u00ad",
      "\ufeff",
      "\u2066",
      "\u{e0041}",
      "\u3164",
      "\u2028",
      "\u00a0",
    ]) {
      const [value] = values({ text: `a${hidden}b` });
      expect(value).toMatchObject({ text: expect.stringMatching(/^a(?:\\u[0-9a-f]{4}){1,2}b$/), escaped: true });
    }
    for (const kept of ["\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u{1f469}\u200d\u{1f4bb}", "日本語"])
      expect(values({ kept })[0]).toMatchObject({ text: kept, escaped: false });
    expect(values({ "pay\u202eee": "" })[0]).toMatchObject({ name: "pay\\u202eee", text: '""', escaped: true });
  });

  test("two_different_values_never_show_the_same", () => {
    const piece = fc.constantFrom("a", " ", "    ", "\n", "\u200b", "\u00a0", "\\", "⏎", "⟨␠×4⟩", "5", "[", '"');
    const text = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(""));
    const value = fc.oneof(
      text,
      fc.constantFrom<unknown>(5, null, true, "", '""', '"a"'),
      fc.array(text, { maxLength: 2 }),
    );
    fc.assert(
      fc.property(value, value, (one, other) => {
        fc.pre(JSON.stringify(one) !== JSON.stringify(other));
        const shown = (text: unknown) => {
          const [{ text: drawn, isJson, escaped } = { text: "", isJson: false, escaped: false }] = values({ text });
          return [drawn, isJson, escaped];
        };
        expect(shown(one)).not.toEqual(shown(other));
      }),
      { numRuns: 2_000 },
    );
  });

  test("that are private or long are opened before the call can be approved", () => {
    const shown = values(
      { to: "ann", body: "s3cret", key: "[redacted]", long: "line\n".repeat(40) },
      argument("to"),
      argument("body", { private: true }),
      argument("key", { redacted: true }),
    );
    expect(unseenValues(shown, new Set())).toEqual(["body", "long"]);
    expect(unseenValues(shown, new Set(["body", "long"]))).toEqual([]);
  });
});
