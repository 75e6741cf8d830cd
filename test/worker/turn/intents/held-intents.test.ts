/** What the user's words do to the intents of a session (the list at the head of `session/task.ts`), through real requests. */
import { describe, expect, it } from "vitest";
import { notedDetector } from "../../intent/noted-detector.ts";
import { type Gateway, gateway, tool } from "../../support/gateway.ts";
import { runInGuard } from "../../support/run-in-guard.ts";
import {
  type Answer,
  ask,
  call,
  result,
  type ScriptedStep,
  says,
  selects,
  toolsOf,
  user,
} from "../../support/script.ts";

const policy = {
  tools: {
    read_file: { category: "read_only", families: ["files"] },
    write_note: { category: "note_taking", confirm: "auto", families: ["notes"] },
    web_get: { category: "read_only", families: ["web"] },
    deploy: { category: "modification", confirm: "auto", roles: ["admin"] },
  },
  intents: {
    NOTE: {
      keywords: ["note"],
      tools: ["write_note", "web_get"],
      families: { allowedFamilies: ["notes"], softAllowedFamilies: ["web"], softBlockAfter: 1 },
    },
    FILES: { keywords: ["file"], tools: ["read_file"] },
    GUESS: { patterns: ["perhaps"], tools: ["write_note", "read_file"] },
    DEPLOY: { keywords: ["deploy"], tools: ["deploy"] },
    TALK: { keywords: ["talk"], tools: [] },
  },
  detection: { layers: ["keywords", "patterns"] },
};
const all = ["read_file", "write_note", "web_get", "deploy"].map((name) => tool(name));

interface Talk {
  readonly gate: Gateway;
  readonly asked: readonly string[];
  /** Sends the next user message; the model takes these steps. */
  say(text: string, steps: readonly ScriptedStep[], extra?: Extra): Promise<Answer>;
  /** Brings the results of the last answer's calls. */
  bring(content: string, steps: readonly ScriptedStep[]): Promise<Answer>;
  readonly tools: (index: number) => string[];
}
interface Extra {
  readonly body?: Record<string, unknown>;
  readonly headers?: Record<string, string>;
}

async function talk(changes: Record<string, unknown> = {}): Promise<Talk> {
  const detector = notedDetector();
  let script: readonly ScriptedStep[] = [];
  let taken = 0;
  const gate = await gateway({
    policy: { ...policy, ...changes },
    detector: detector.wrap,
    upstream: (body, request) => says(script[taken++] ?? { text: "so" })(body, request),
  });
  const messages: unknown[] = [];
  const send = async (steps: readonly ScriptedStep[], { body, headers }: Extra = {}) => {
    [script, taken] = [steps, 0];
    const answer = await ask(gate, { messages, tools: all, ...body }, { "x-toolgate-session": "s", ...headers });
    messages.push(answer.message);
    await gate.settle();
    return answer;
  };
  let last: Answer | undefined;
  return {
    gate,
    asked: detector.asked,
    async say(text, steps, extra) {
      messages.push(user(text));
      last = await send(steps, extra);
      return last;
    },
    async bring(content, steps) {
      messages.push(...(last?.calls ?? []).map(({ id }) => result(id, content)));
      last = await send(steps);
      return last;
    },
    tools: (index) => toolsOf(gate.sent[index]),
  };
}

const answers: ScriptedStep[] = [{ text: "done" }];
const note = (id: string): ScriptedStep => ({ calls: [call(id, "write_note")] });
const detour = (id: string): ScriptedStep => ({ calls: [call(id, "web_get")] });

describe("a user message", () => {
  it("that says what it wants needs no handshake", async () => {
    const { say, tools, gate } = await talk();
    const answer = await say("take a note", [note("c1")]);
    expect(tools(0)).toEqual(["write_note", "web_get", "select_intent"]);
    expect(answer.calls).toMatchObject([{ name: "write_note" }]);
    expect(answer.note).toMatchObject({ state: "action", intent: "NOTE" });
    expect(answer.note).not.toHaveProperty("intents");
    expect([answer.headers.get("x-toolgate-state"), answer.headers.get("x-toolgate-intent")]).toEqual([
      "action",
      "NOTE",
    ]);
    expect(await gate.turns()).toMatchObject([{ state_opened: "action", intents: ["NOTE"] }]);
  });

  it("that asks for two things unites their tools", async () => {
    const { say, tools } = await talk();
    const { note: told, headers } = await say("read the file and take a note", answers);
    expect(tools(0)).toEqual(["read_file", "write_note", "web_get", "select_intent"]);
    expect(told).toMatchObject({ intent: "FILES", intents: ["FILES", "NOTE"] });
    expect(headers.get("x-toolgate-intent")).toBe("FILES, NOTE");
  });

  it("replaces the intent, is narrowed to one of two, follows up, or clears", async () => {
    const { say, gate } = await talk();
    const held = async (text: string) => (await say(text, answers)).headers.get("x-toolgate-intent");
    expect(await held("a note, please")).toBe("NOTE");
    expect(await held("now the file")).toBe("FILES");
    expect(await held("yes")).toBe("FILES");
    expect(await held("the file and a note")).toBe("FILES, NOTE");
    expect(await held("and in French?")).toBe("FILES, NOTE");
    expect(await held("only the note")).toBe("NOTE");
    expect(await held("what a day")).toBeNull();
    expect(await held("yes")).toBeNull();
    expect(await (await gate.fetch("/v1/sessions/s")).json()).toMatchObject({ intents: [], state: "request" });
  });

  it("that is not confident enough selects nothing, and the model may", async () => {
    const { say, tools } = await talk({ handshake: { selectAt: 0.95 } });
    const { note: told } = await say("perhaps", [{ calls: [selects("GUESS")] }, { text: "ok" }]);
    expect(tools(0)).toEqual(["read_file", "web_get", "select_intent"]);
    expect(tools(1)).toEqual(["read_file", "write_note", "select_intent"]);
    expect(told.intent).toBe("GUESS");
  });

  it("selects nothing where `handshake.select` is `model`, but is recorded, and keeps what was selected", async () => {
    const { say, gate, tools } = await talk({ handshake: { select: "model" } });
    await say("take a note", [{ calls: [selects("NOTE")] }, { text: "ok" }]);
    expect(tools(0)).toEqual(["read_file", "web_get", "select_intent"]);
    expect((await say("another note", answers)).headers.get("x-toolgate-intent")).toBe("NOTE");
    expect((await say("the file", answers)).headers.get("x-toolgate-intent")).toBeNull();
    expect(await gate.turns()).toMatchObject(
      ["NOTE", "NOTE", "FILES"].map((name) => ({ detection: { intents: [{ name }] } })),
    );
  });

  it("narrows where `handshake.select` is `off`", async () => {
    const { say, tools } = await talk({ handshake: { select: "off" } });
    await say("hello", answers);
    await say("read the file", answers);
    expect([tools(0), tools(1)]).toEqual([["read_file", "write_note", "web_get"], ["read_file"]]);
  });

  it("that asks for what the role may not do is held to it, and gets no tool", async () => {
    const { say, tools } = await talk();
    const { note: told } = await say("deploy it", [{ calls: [call("c1", "deploy")] }, { text: "I may not" }]);
    expect(tools(0)).toEqual(["select_intent"]);
    expect(told).toMatchObject({ intent: "DEPLOY", decisions: [{ tool: "deploy", effect: "deny" }] });
    expect(told.withheld).toContainEqual({ name: "deploy", reasons: ["role_forbids"] });
  });

  it("is asked of once; tool results, the model's words and commands never are", async () => {
    const { say, bring, asked } = await talk();
    await say("take a note", [note("c1")]);
    await bring("now deploy the file", [{ text: "I shall deploy the file", calls: [call("c2", "write_note")] }]);
    await bring("deploy!", [{ text: "deploy the file" }]);
    await say("/toolgate status", []);
    await say("/toolgate reset", []);
    expect(asked).toEqual(["take a note"]);
  });
});

describe("a continuation", () => {
  it("changes nothing, whatever the result says", async () => {
    const { say, bring, gate } = await talk();
    await say("take a note", [note("c1")]);
    const { headers } = await bring("read the file", answers);
    expect(headers.get("x-toolgate-intent")).toBe("NOTE");
    expect(await gate.turns()).toMatchObject([{ detection: { intents: [{ name: "NOTE" }] } }, { detection: null }]);
  });
});

describe("soft uses", () => {
  const spent = (answer: Answer) => answer.note.decisions.map(({ reasons }) => reasons[0]?.code);

  it("are not earned anew by a follow-up, nor by saying the same again", async () => {
    const { say, bring } = await talk();
    await say("take a note", [detour("c1")]);
    await bring("ok", answers);
    for (const text of ["yes", "take a note", "note"]) {
      expect(spent(await say(text, [detour("c2"), { text: "ok" }]))).toEqual(["soft_limit_reached"]);
    }
  });

  it("are not earned anew by a handshake to and fro", async () => {
    const { say, bring } = await talk({ handshake: { mustMatchDetected: "never" } });
    await say("take a note", [detour("c1")]);
    const answer = await bring("ok", [
      { calls: [selects("TALK", "h1")] },
      { calls: [selects("NOTE", "h2")] },
      detour("c2"),
      { text: "ok" },
    ]);
    expect(answer.note.intent).toBe("NOTE");
    expect(spent(answer)).toEqual(["soft_limit_reached"]);
    expect(answer.note.decisions[0]?.reasons[0]?.message).toContain("`web_get` (family `web`)");
  });

  it("begin anew where the user asks for something else, for nothing, or resets", async () => {
    const { say, bring } = await talk();
    const released = async (text: string, extra?: Extra) => {
      const { calls } = await say(text, [detour("c")], extra);
      await bring("ok", answers);
      return calls.length;
    };
    expect(await released("take a note")).toBe(1);
    await say("read the file", answers);
    expect(await released("take a note")).toBe(1);
    await say("what a day", answers);
    expect(await released("take a note")).toBe(1);
    expect(await released("take a note", { headers: { "x-toolgate-reset": "true" } })).toBe(1);
    await say("/toolgate reset", []);
    expect(await released("take a note")).toBe(1);
    expect(spent(await say("take a note", [detour("c"), { text: "ok" }]))).toEqual(["soft_limit_reached"]);
  });

  it("of two turns of one session at once are counted together", async () => {
    const gate = await gateway({
      policy,
      upstream: (body, request) =>
        says(JSON.stringify(body.messages).includes("tool_policy_blocked") ? { text: "ok" } : detour("c"))(
          body,
          request,
        ),
    });
    const wish = [user("take a note")];
    const first = await ask(gate, { messages: wish, tools: all }, { "x-toolgate-session": "s" });
    expect(first.calls.length).toBe(1);
    await gate.settle();
    const bothAfter = (history: readonly unknown[]) =>
      Promise.all(
        ["yes, this", "yes, that"].map(async (text) => {
          const body = { messages: [...history, user(text)], tools: all };
          return (await ask(gate, body, { "x-toolgate-session": "s" })).calls.length;
        }),
      );
    expect(await bothAfter([...wish, first.message, result("c")])).toEqual([0, 0]);
    await gate.fetch("/v1/sessions/s", { method: "DELETE" });
    const note = [user("note")];
    const { message } = await ask(gate, { messages: note, tools: [] }, { "x-toolgate-session": "s" });
    await gate.settle();
    expect((await bothAfter([...note, message])).sort()).toEqual([0, 1]);
  });
});

describe("what was detected", () => {
  it("is told by `/toolgate status` and by the session", async () => {
    const { say, gate } = await talk();
    await say("the file and a note", answers);
    expect((await say("/toolgate status", [])).text).toContain("detected: FILES, NOTE");
    expect(await (await gate.fetch("/v1/sessions/s")).json()).toMatchObject({
      intents: ["FILES", "NOTE"],
      detected: ["FILES", "NOTE"],
      state: "action",
    });
    await say("what a day", answers);
    expect((await say("/toolgate status", [])).text).toContain("detected: nothing");
  });

  it("is in the turn's record, with its evidence and without the user's words, and the chain verifies", async () => {
    const { say, gate } = await talk();
    await say("please take a NOTE of my secret", answers);
    const [turn] = await gate.turns();
    expect(turn?.detection).toEqual({
      intents: [
        { name: "NOTE", confidence: 1, layer: "keywords", evidence: [{ layer: "keywords", source: "note", at: 14 }] },
      ],
      discounted: [],
      follow_up: false,
      entities: [],
      missed: [],
      select_at: 0.9,
    });
    expect(JSON.stringify(turn)).not.toContain("secret");
    const verified = await gate.fetch(`/v1/audit/verify?user=${gate.user}`, { key: await gate.keyFor("op", "admin") });
    expect(await verified.json()).toMatchObject({ ok: true });
  });
});

describe("a session that older code has served in between, rolled back and forward again", () => {
  const older = ({ stub }: Gateway, statement: string) =>
    runInGuard(stub, (_, { storage }) => void storage.sql.exec(statement));

  it("counts what that code let by, and knows nothing of what it did not detect", async () => {
    const { say, bring, gate } = await talk();
    await say("take a note", [detour("c1")]);
    // A new task of that code: it selects by the handshake alone, and writes none of the new columns.
    await older(gate, "UPDATE sessions SET task = task + 1");
    await older(gate, "UPDATE calls SET task = task + 1, epoch = NULL, families = '[]'");
    expect(await (await gate.fetch("/v1/sessions/s")).json()).toMatchObject({ intents: ["NOTE"], detected: [] });
    const { note: told } = await bring("ok", [detour("c2"), { text: "ok" }]);
    expect(told.decisions).toMatchObject([{ reasons: [{ code: "soft_limit_reached" }] }]);
  });
});
