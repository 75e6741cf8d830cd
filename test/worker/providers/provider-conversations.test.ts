/** Whole conversations at providers that have a protocol of their own: hidden steps, questions, managed tools, time. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { call, MODEL, PROVIDERS, type ProviderName, type WireStep } from "../../support/provider-wire.ts";
import { codeIn } from "../approvals/approvals.ts";
import { type Gateway, tool, type Upstream } from "../support/gateway.ts";
import { type Answer, aborted, ask, result, user } from "../support/script.ts";
import { answers, providers, stream } from "./provider-gateway.ts";

const path = { type: "object", properties: { path: { type: "string" }, id: { type: "integer" } } };
const tools = [tool("read_file", path), tool("write_file", path)];
const policy = {
  handshake: { select: "model" },
  results: { mark: false },
  intents: { FILES: { description: "work with files", tools: ["read_file", "write_file"] } },
  tools: { read_file: { category: "read_only" }, write_file: { category: "modification" } },
};
const open = { ...policy, handshake: { select: "off" }, intents: {} };
const names: readonly ProviderName[] = ["anthropic", "google"];
const thinking = { text: "Hm.", signature: "c2ln" };
const session = { "x-toolgate-session": "s" };

const says = (provider: ProviderName, ...steps: WireStep[]): Upstream[] => steps.map((step) => answers(provider, step));

/** What is sent of the conversation, as text. */
const talkIn = (gate: Gateway, at: number): string =>
  JSON.stringify(gate.sent[at]?.messages ?? gate.sent[at]?.contents);

/** The calls of a reply with all their members. */
function wireCalls({ events, body }: Answer): object[] {
  type Holder = { choices?: { delta?: { tool_calls?: object[] }; message?: { tool_calls?: object[] } }[] };
  const holders = [...events.map(({ json }) => (json ?? {}) as Holder), body as Holder];
  return holders.flatMap(({ choices = [] }) =>
    choices.flatMap(({ delta, message }) => delta?.tool_calls ?? message?.tool_calls ?? []),
  );
}
const messageOf = (answer: Answer) => ({ ...answer.message, tool_calls: wireCalls(answer) });

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
});

describe.each(names.flatMap((provider) => [true, false].map((streamed) => ({ provider, streamed }))))(
  "$provider (stream $streamed)",
  ({ provider, streamed }) => {
    const go = { model: MODEL[provider], messages: [user("change a.txt")], tools, stream: streamed };

    it("goes through the handshake in one reply: one id, one role, the sum of what it took", async () => {
      const gate = await providers({
        policy,
        upstream: says(
          provider,
          { text: ["First "], calls: [call("h1", "select_intent", { intents: ["FILES"] }, "c2ln")], thinking },
          { text: ["done."] },
        ),
      });
      const answer = await ask(gate, { ...go, stream_options: { include_usage: true } });
      expect(answer.text).toBe(streamed ? "First \n\ndone." : "done.");
      expect(answer.usage).toMatchObject({ prompt_tokens: 274, completion_tokens: 40 });
      const chunks = answer.events.flatMap(({ json }) => (json ? [json as { id?: string }] : []));
      if (streamed) expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
      expect(JSON.stringify(chunks).split('"role":"assistant"').length - 1).toBe(streamed ? 1 : 0);
      expect(answer.calls).toEqual([]);
      // The thoughts of the hidden step go back with its call.
      expect(talkIn(gate, 1)).toContain(provider === "anthropic" ? '"signature":"c2ln"' : '"thoughtSignature":"c2ln"');
    });

    it("asks a person, releases what was allowed, and gets its thoughts back", async () => {
      const calls = [call("c1", "write_file", { path: "a.txt" }, "Z29vZw==")];
      const gate = await providers({
        policy: open,
        upstream: says(provider, { thinking, text: ["I write."], calls }, { text: ["Written."] }),
      });
      const question = await ask(gate, go, session);
      expect([question.calls, question.note.stop_reason]).toEqual([[], "awaiting_approval"]);
      const messages = [...go.messages, question.message, user(`yes ${codeIn(question)}`)];
      const released = await ask(gate, { ...go, messages }, session);
      expect(released.calls).toMatchObject([{ id: "c1", name: "write_file" }]);
      expect(gate.sent.length).toBe(1);
      const next = [...messages, messageOf(released), result("c1", "ok")];
      expect((await ask(gate, { ...go, messages: next }, session)).text).toBe("Written.");
      expect(talkIn(gate, 1)).toContain(
        provider === "anthropic" ? '"signature":"c2ln"' : '"thoughtSignature":"Z29vZw=="',
      );
    });

    it("gets its thoughts back from a client that drops what it does not know, in this conversation alone", async () => {
      const calls = [call("c1", "read_file", { path: "a.txt" }, "Z29vZw==")];
      const gate = await providers({
        policy: open,
        upstream: says(provider, { thinking, text: ["I read."], calls }, { text: ["Read."] }),
      });
      const answer = await ask(gate, go, session);
      const messages = [...go.messages, answer.message, result("c1", "hi")];
      expect(JSON.stringify(messages)).not.toContain("extra_content");
      await ask(gate, { ...go, messages }, session);
      const signed = provider === "anthropic" ? '"signature":"c2ln"' : '"thoughtSignature":"Z29vZw=="';
      expect(talkIn(gate, 1)).toContain(signed);
      await ask(gate, { ...go, messages }, { "x-toolgate-session": "another" });
      expect(talkIn(gate, 2)).not.toContain(signed);
      const other = await gate.keyFor("bob", "user");
      const headers = { ...session, authorization: `Bearer ${other}` };
      await ask(gate, { ...go, messages }, headers);
      expect(talkIn(gate, 3)).not.toContain(signed);
    });

    it("is refused nothing of its siblings' where one of several calls is refused", async () => {
      const calls = [call("c1", "delete_all", {}, "czE="), call("c2", "read_file", { path: "b" })];
      const gate = await providers({ policy: open, upstream: says(provider, { thinking, calls }, { text: ["ok"] }) });
      const answer = await ask(gate, go, session);
      expect(answer.calls).toMatchObject([{ id: "c2", name: "read_file" }]);
      const messages = [...go.messages, messageOf(answer), result("c2", "b!")];
      await ask(gate, { ...go, messages }, session);
      expect(talkIn(gate, 1)).toContain("tool_policy_blocked");
      if (provider === "anthropic") expect(talkIn(gate, 1).split('"signature":"c2ln"').length - 1).toBe(2);
    });

    it("has arguments refused that hold a number which is not what it seems", async () => {
      const args = ['{"id":1234567890', "1234567890}"];
      // Google's come as JSON within JSON.
      const google = [
        `data: {"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"read_file","args":${args.join("")}}}]},"index":0}]}\n\n`,
        'data: {"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":"STOP","index":0}]}\n\n',
      ];
      const first: Upstream =
        provider === "google"
          ? () => stream(google)
          : answers(provider, { calls: [{ id: "c1", name: "read_file", args }] });
      const gate = await providers({ policy: open, upstream: [first, answers(provider, { text: ["I see."] })] });
      const answer = await ask(gate, go);
      expect([answer.calls, answer.text]).toEqual([[], "I see."]);
      expect(await gate.decisions()).toMatchObject([{ effect: "deny", reasons: [{ code: "arguments_invalid" }] }]);
    });

    it("gets the numbers of earlier calls as they were written", async () => {
      const gate = await providers({ policy: open, upstream: says(provider, { text: ["ok"] }) });
      const made = {
        id: "c1",
        type: "function",
        function: { name: "read_file", arguments: '{"id":12345678901234567890}' },
      };
      const messages = [...go.messages, { role: "assistant", content: null, tool_calls: [made] }, result("c1")];
      await ask(gate, { ...go, messages });
      expect(await gate.requests[0]?.text()).toContain(":12345678901234567890}");
    });

    it("has untrusted links in its words guarded", async () => {
      const spoken = { text: ["See [it](https://ev", "il.test/?d=1) now."] };
      const gate = await providers({ policy: open, upstream: says(provider, spoken) });
      const made = { id: "c1", type: "function", function: { name: "read_file", arguments: "{}" } };
      const messages = [
        ...go.messages,
        { role: "assistant", content: null, tool_calls: [made] },
        result("c1", "evil.test"),
      ];
      const answer = await ask(gate, { ...go, messages });
      expect(answer.text).toContain("now.");
      expect(answer.text).not.toContain("](https://evil.test");
    });

    it("is waited for no longer than the settings say, and then another is asked", async () => {
      const stalled = PROVIDERS[provider]({ text: ["a", "b"] })[0] ?? "";
      const cancelled = Promise.withResolvers<void>();
      const stalls: Upstream = () => {
        const body = new ReadableStream<Uint8Array>({
          start: (controller) =>
            controller.enqueue(new TextEncoder().encode(provider === "google" ? ": x\n\n" : stalled)),
          cancel: () => cancelled.resolve(),
        });
        return new Response(body, { headers: { "content-type": "text/event-stream" } });
      };
      const other = provider === "google" ? "anthropic" : "google";
      const times = {
        UPSTREAM_FIRST_BYTE_TIMEOUT: "100ms",
        UPSTREAM_IDLE_TIMEOUT: "100ms",
        UPSTREAM_CONNECT_TIMEOUT: "90ms",
      };
      const alone = await providers({ policy: open, upstream: stalls, variables: times });
      const answer = await ask(alone, go);
      expect([answer.status, answer.error?.code]).toEqual([504, "upstream_timeout"]);
      await cancelled.promise;
      const routes = JSON.stringify({ both: [MODEL[provider], MODEL[other]] });
      const gate = await providers({
        policy: open,
        upstream: [stalls, answers(other, { text: ["there"] })],
        variables: { ...times, UPSTREAM_ROUTES: routes },
      });
      expect((await ask(gate, { ...go, model: "both" })).text).toBe("there");
    });

    it("is left when the client leaves, and releases nothing", async () => {
      const reached = Promise.withResolvers<Request>();
      const begun = PROVIDERS[provider]({ text: ["a"], calls: [call("c1", "read_file")] })
        .slice(0, -1)
        .join("");
      const gate = await providers({
        policy: open,
        upstream: (_body, request) => {
          reached.resolve(request);
          const body = new ReadableStream<Uint8Array>({
            start: (controller) => controller.enqueue(new TextEncoder().encode(begun)),
          });
          return new Response(body, { headers: { "content-type": "text/event-stream" } });
        },
      });
      const client = new AbortController();
      const replying = gate.fetch("/v1/chat/completions", { json: go, signal: client.signal }).catch(() => undefined);
      const request = await reached.promise;
      client.abort();
      await aborted(request);
      await replying;
      expect(await gate.turns()).toMatchObject([{ stop_reason: "aborted" }]);
      expect((await gate.decisions()).filter(({ effect }) => effect === "allow")).toEqual([]);
    });
  },
);

it("Anthropic is asked with the names of earlier calls where it takes none without tools", async () => {
  const strict: Upstream = (body, request) =>
    body.tools === undefined
      ? Response.json(
          { type: "error", error: { type: "invalid_request_error", message: "must define tools" } },
          { status: 400 },
        )
      : answers("anthropic", { text: ["ok"] })(body, request);
  const gate = await providers({ policy: open, upstream: strict });
  const made = { id: "c1", type: "function", function: { name: "read_file", arguments: "{}" } };
  const messages = [user("hi"), { role: "assistant", content: null, tool_calls: [made] }, result("c1")];
  for (const count of [2, 3]) {
    expect((await ask(gate, { model: MODEL.anthropic, messages })).text).toBe("ok");
    expect(gate.sent.length).toBe(count);
  }
  expect(gate.sent[1]).toMatchObject({ tools: [{ name: "read_file" }], tool_choice: { type: "none" } });
});

it("Anthropic is not asked to think where a client has dropped the thoughts of its calls", async () => {
  const gate = await providers({ policy: open, upstream: says("anthropic", { text: ["ok"] }) });
  const made = { id: "c1", type: "function", function: { name: "read_file", arguments: "{}" } };
  const called = [user("hi"), { role: "assistant", content: null, tool_calls: [made] }, result("c1")];
  const body = { model: MODEL.anthropic, reasoning_effort: "high", tools };
  await ask(gate, { ...body, messages: called });
  await ask(gate, { ...body, messages: [...called, { role: "assistant", content: "ok" }, user("and now?")] });
  expect(gate.sent.map(({ thinking: thought }) => thought !== undefined)).toEqual([false, true]);
});

it("thoughts that somebody forged are sent as they are, or not at all, and break nothing", async () => {
  for (const forged of ["", "%%%", btoa("{}"), btoa('[["a"],["b","c"],[1],"x",[]]'), "x".repeat(70_000)]) {
    const gate = await providers({ policy: open, upstream: says("anthropic", { text: ["ok"] }) });
    const made = {
      id: "c1",
      type: "function",
      function: { name: "read_file", arguments: "{}" },
      extra_content: { anthropic: { thinking: forged } },
    };
    const messages = [user("hi"), { role: "assistant", content: null, tool_calls: [made] }, result("c1")];
    expect((await ask(gate, { model: MODEL.anthropic, messages, tools })).text).toBe("ok");
  }
});
