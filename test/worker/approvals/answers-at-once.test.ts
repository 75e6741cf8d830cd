/** The same answer sent twice at the same moment: by a double click, or by a client that took its first try for lost. */
import { describe, expect, it } from "vitest";
import type { Gateway } from "../support/gateway.ts";
import { approves, asker, under } from "../support/guard-asker.ts";
import { type Answer, ask, call, outlineOf, says, user } from "../support/script.ts";
import { managed, policy } from "../tools/managed.ts";
import { asked as approvalsOf, asking, chat, done, edits, says1, session, tools } from "./approvals.ts";

const TIMES = [1, 2, 3];
const atOnce = (gate: Gateway, body: Record<string, unknown>, headers: Record<string, string> = session) =>
  Promise.all(TIMES.map(() => ask(gate, body, headers)));

const told = (all: readonly Answer[]) =>
  all.map(({ status, text, calls }) => [status, text, calls.map(({ id }) => id)]);
const creates = says({ text: "I will.", calls: [call("c", "create_lead", { name: "eve" })] });
const native = { ...session, "x-toolgate-approvals": "native" };
const channels = { confirmation: { channels: ["inline", "native"] } };

const dispositions = async (gate: Gateway, wanted: string) =>
  (await gate.decisions()).filter(({ disposition }) => disposition === wanted).length;

describe("the same answer at the same moment", () => {
  for (const stream of [true, false]) {
    it(`releases a client's call once, and gives it to each (stream ${stream})`, async () => {
      const gate = await asking([says1(edits()), done]);
      const talk = chat(gate, { stream });
      await talk.say("please change my note");
      const all = await atOnce(gate, { messages: [...talk.history, user("yes")], tools, stream });
      expect(told(all)).toEqual(TIMES.map(() => [200, "", ["c1"]]));
      expect([await dispositions(gate, "released"), gate.sent.length]).toEqual([1, 1]);
    });

    it(`runs a managed call once, and each is told what came of it (stream ${stream})`, async () => {
      const { gate, asked } = await managed({ upstream: [creates, done] });
      const talk = chat(gate, { stream, tools: [] });
      await talk.say("please create it");
      const all = await atOnce(gate, { messages: [...talk.history, user("yes")], stream });
      expect(told(all)).toEqual(TIMES.map(() => [200, "Done.", []]));
      expect([asked.length, await dispositions(gate, "run")]).toEqual([1, 1]);
      const ran = ["user", "assistant", "user", "assistant(c)", "tool(c)"];
      expect(gate.sent.slice(1).map(outlineOf)).toEqual(TIMES.map(() => ran));
    });
  }

  it("given as data runs a managed call once, and each is told what came of it", async () => {
    const { gate, asked } = await managed({ policy: policy(channels), upstream: [creates, done] });
    const body = { messages: [user("create it")] };
    const approvals = [{ id: approvalsOf(await ask(gate, body, native))[0]?.id, action: "approve" }];
    const all = await atOnce(gate, { ...body, toolgate: { approvals } }, native);
    expect(told(all)).toEqual(TIMES.map(() => [200, "Done.", []]));
    expect([asked.length, await dispositions(gate, "run")]).toEqual([1, 1]);
  });

  it("given as data, and a no, is told to the model by each", async () => {
    const gate = await asking([says1(edits()), done], channels);
    const body = { messages: [user("please change my note")], tools };
    const approvals = [{ id: approvalsOf(await ask(gate, body, native))[0]?.id, action: "deny" }];
    const all = await atOnce(gate, { ...body, toolgate: { approvals } }, native);
    expect(told(all)).toEqual(TIMES.map(() => [200, "Done.", []]));
    const outlines = gate.sent.slice(1).map(outlineOf);
    expect(outlines).toEqual(TIMES.map(() => ["user", "assistant(c1)", "tool(c1)"]));
  });
});

it("another answer at the same moment is none of the same: nothing tells it what came of that", async () => {
  const self = asker();
  const { approval, call: held } = await self.ask();
  const answering = { kind: "inline" as const, codes: [approval.code] };
  const [one, twin, other] = [
    await self.open({ digest: "yes", answering }),
    await self.open({ digest: "yes", answering }),
    await self.open({ digest: "yes, do it", answering }),
  ];
  await self.decide(one, [under(approval, held, approves)]);
  const anew = (turn: string, digest: string) => self.open({ turn, digest, answering, repeatedOpen: true });
  expect(await anew(twin.turn, "yes")).toMatchObject({ seenBefore: true, replay: [{ id: "c1" }] });
  const told = await anew(other.turn, "yes, do it");
  expect([told.seenBefore, told.replay, told.waiting]).toEqual([undefined, undefined, undefined]);
});

it("an answer that comes too late for its task is not opened again: the next task keeps what it has", async () => {
  const self = asker();
  const { approval } = await self.ask();
  const answering = { kind: "inline" as const, codes: [approval.code] };
  const late = await self.open({ digest: "yes", answering });
  const next = await self.open({ digest: "more" });
  const messages = [{ role: "assistant", content: "hidden" }];
  await self.guard.turns.saveHidden({
    turn: next.turn,
    session: "s",
    hidden: [{ anchor: { kind: "calls", ids: ["c2"], codes: [], position: 0 }, messages }],
    reminded: false,
  });
  await expect(self.open({ turn: late.turn, digest: "yes", answering, repeatedOpen: true })).rejects.toThrow("gone on");
  const { hidden } = await self.open({ digest: "results", newMessage: false });
  expect(hidden).toMatchObject([{ anchor: { ids: ["c2"] } }]);
});
