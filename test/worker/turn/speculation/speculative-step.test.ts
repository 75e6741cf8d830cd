import { env } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { putPolicy } from "../../../../src/stores/policies/policy-source.ts";
import { type Gateway, type GatewayOptions, gateway, tool, type Upstream } from "../../support/gateway.ts";
import { ask, call, messagesOf, result, says, toolsOf, user } from "../../support/script.ts";
import { watchedGuard } from "../../support/watched-guard.ts";

const policy = {
  handshake: { select: "off" },
  modes: { read_only: { allow: ["category:read_only"] } },
  tools: { read_file: { category: "read_only" }, write_file: { category: "modification", confirm: "auto" } },
};
const tools = [tool("read_file"), tool("write_file")];
const session = { "x-toolgate-session": "s" };

interface Watched {
  readonly gate: Gateway;
  /** Calls of the model by the time that each open was answered. */
  readonly ahead: number[];
}

/** A gateway whose opens are answered late: after the model has been called, where it is called at all. */
async function watched(options: GatewayOptions): Promise<Watched> {
  const ahead: number[] = [];
  const gate = await gateway({
    policy,
    ...options,
    variables: watchedGuard(async (path, call) => {
      const answer = await call();
      if (path !== "turns.open") return answer;
      // Long enough for a call that is begun already; one that is not yet begun waits for this answer.
      await env.KV.get("nothing");
      ahead.push(gate.sent.length);
      return answer;
    }),
  });
  return { gate, ahead };
}

/** Another isolate of the same gateway: it shares the stores, and knows nothing. */
async function beside(gate: Gateway, options: GatewayOptions = {}): Promise<Gateway> {
  const other = await gateway({ ...options });
  if (gate.policy !== undefined) await putPolicy(env.KV, gate.tenant, gate.policy, Date.now());
  return {
    ...other,
    chat: (body, headers) =>
      other.fetch("/v1/chat/completions", { json: { model: "test-model", ...body }, headers, key: gate.key }),
  };
}

const stepsOf = async (gate: Gateway) =>
  (await gate.turns()).map(({ steps, redone, stop_reason }) => ({ steps, redone: redone ?? false, stop_reason }));

beforeAll(async () => {
  // The first call of an isolate loads what the others find.
  const gate = await gateway({ upstream: says({ text: "hello" }) });
  await ask(gate, { messages: [user("hi")] });
  await gate.settle();
});

describe("the first step of a turn", () => {
  it.each([
    ["named", session],
    ["found by its first reply", {}],
  ])("begins before the object has answered, in each turn of a conversation that is %s", async (_, headers) => {
    const answers: readonly Upstream[] = [
      says({ text: "hello" }),
      says({ calls: [call("c", "read_file")] }),
      says({ text: "forty lines" }),
      says({ text: "nothing more" }),
    ];
    const { gate, ahead } = await watched({ upstream: answers });
    const messages: unknown[] = [];
    const turn = async (...more: unknown[]) => {
      messages.push(...more);
      const answer = await ask(gate, { messages, tools, stream: true }, headers);
      messages.push(answer.message);
      await gate.settle();
      return answer;
    };
    await turn(user("hi there"));
    await turn(user("read the file"));
    await turn(result("c"));
    await turn(user("anything else?"));
    expect(ahead).toEqual([1, 2, 3, 4]);
    expect(gate.sent.length).toBe(4);
    expect(await stepsOf(gate)).toEqual(
      [1, 1, 1, 1].map((steps) => ({ steps, redone: false, stop_reason: "completed" })),
    );
  });

  it("gives the client nothing before the object has answered", async () => {
    const release = Promise.withResolvers<void>();
    const called = Promise.withResolvers<void>();
    let pulled = 0;
    const gate = await gateway({
      policy,
      upstream: (body, request) => {
        called.resolve();
        const whole = says({ text: "hello", calls: [call("c", "read_file")] })(body, request) as Response;
        const reader = (whole.body as ReadableStream<Uint8Array>).getReader();
        const stream = new ReadableStream<Uint8Array>(
          {
            async pull(controller) {
              pulled += 1;
              const { done, value } = await reader.read();
              if (done) controller.close();
              else controller.enqueue(value);
            },
          },
          { highWaterMark: 0 },
        );
        return new Response(stream, { headers: whole.headers });
      },
      variables: watchedGuard(async (path, call) => {
        const answer = await call();
        if (path === "turns.open") await release.promise;
        return answer;
      }),
    });
    let answered = false;
    const reply = ask(gate, { messages: [user("hi")], tools, stream: true }, session).finally(() => {
      answered = true;
    });
    await called.promise;
    await env.KV.get("nothing");
    expect([answered, pulled]).toEqual([false, 0]);
    release.resolve();
    const { text, calls } = await reply;
    expect([text, calls.map(({ id }) => id)]).toEqual(["hello", ["c"]]);
    await gate.settle();
  });

  it.each<[string, Record<string, unknown>, Record<string, string>?, Record<string, unknown>?]>([
    ["a command", { messages: [user("/toolgate status")] }],
    ["a reset", { messages: [user("hi")] }, { "x-toolgate-reset": "true" }],
    ["a request that is sent again", { messages: [user("hi")] }, { "x-stainless-retry-count": "1" }],
    [
      "an answer to a question",
      { messages: [user("hi"), { role: "assistant", content: "[K7QF] Proceed?" }, user("yes")] },
    ],
    [
      "a conversation that it does not know",
      { messages: [user("hi"), { role: "assistant", content: "hello" }, user("go on")] },
    ],
    ["a policy that says so", { messages: [user("hi")] }, {}, { execution: { speculate: false } }],
    ["a policy with sequences", { messages: [user("hi")] }, {}, { tools: { write_file: { after: ["read_file"] } } }],
    [
      "a field by which the provider runs tools",
      { messages: [user("hi")], web_search_options: {} },
      {},
      { passFields: ["web_search_options"] },
    ],
  ])("waits for the object: %s", async (_, body, headers = {}, over = {}) => {
    const { gate, ahead } = await watched({ upstream: says({ text: "hello" }), policy: { ...policy, ...over } });
    const { status } = await ask(gate, { tools, ...body }, { ...session, ...headers });
    expect([status, ahead]).toEqual([200, [0]]);
    await gate.settle();
  });

  it("waits where what is known could have been withdrawn for longer than two seconds, unless it is not needed", async () => {
    let now = Date.now();
    const { gate, ahead } = await watched({ upstream: says({ calls: [call("c", "read_file")] }), now: () => now });
    const messages: unknown[] = [user("read the file")];
    const turn = async (...more: unknown[]) => {
      messages.push(...more);
      messages.push((await ask(gate, { messages, tools }, { ...session, "x-toolgate-mode": "read_only" })).message);
      await gate.settle();
    };
    await turn();
    now += 1_000;
    await turn(result("c"));
    now += 2_001;
    await turn(result("c"));
    expect(ahead).toEqual([1, 2, 2]);
    const other = await watched({ upstream: says({ text: "hello" }), now: () => now });
    const hello = await ask(other.gate, { messages: [user("hi")], tools }, session);
    await other.gate.settle();
    now += 3_600_000;
    await ask(other.gate, { messages: [user("hi"), hello.message, user("and now something else")], tools }, session);
    expect(other.ahead).toEqual([1, 2]);
    await Promise.all([gate.settle(), other.gate.settle()]);
  });
});

describe("a first step whose facts were others", () => {
  it("is aborted and made anew, and the record and the metric say so", async () => {
    const aborted: boolean[] = [];
    const { gate, ahead } = await watched({
      upstream: (body, request) => {
        request.signal.addEventListener("abort", () => void aborted.push(true));
        return says({ text: `with ${toolsOf(body).length}` })(body, request);
      },
    });
    const hello = await ask(gate, { messages: [user("hi")], tools, stream: true }, session);
    expect(hello.text).toBe("with 2");
    await gate.settle();
    // Another location of the gateway, or the user's own settings page.
    await gate.guard.sessions.setMode("s", "read_only");
    const more = [user("hi"), hello.message, user("write the file")];
    const reply = await ask(gate, { messages: more, tools, stream: true }, session);
    const why = "Toolgate: the mode `read_only` does not permit `write_file`.";
    expect([reply.text, reply.note.offered]).toEqual([`with 1\n\n${why}`, ["read_file"]]);
    expect(aborted.length).toBe(1);
    expect([ahead, gate.sent.map((body) => toolsOf(body).length)]).toEqual([
      [1, 2],
      [2, 2, 1],
    ]);
    expect(await stepsOf(gate)).toEqual([
      { steps: 1, redone: false, stop_reason: "completed" },
      { steps: 1, redone: true, stop_reason: "completed" },
    ]);
  });

  it("begins no other of the user's early for a while", async () => {
    let now = Date.now();
    const { gate, ahead } = await watched({ upstream: says({ text: "hello" }), now: () => now });
    await ask(gate, { messages: [user("hi")], tools }, session);
    await gate.settle();
    await gate.guard.sessions.setMode("s", "read_only");
    const again = [user("hi"), { role: "assistant", content: "hello" }, user("write it")];
    await ask(gate, { messages: again, tools }, session);
    await ask(gate, { messages: [user("a new one")], tools }, { "x-toolgate-session": "t" });
    now += 10_001;
    await ask(gate, { messages: [user("a newer one")], tools }, { "x-toolgate-session": "u" });
    // The second was begun early and again, the third only once it was open.
    expect([ahead, gate.sent.length]).toEqual([[1, 2, 3, 5], 5]);
    await gate.settle();
  });

  it("is given up where the object knows the request: the calls that it got are given again", async () => {
    const { gate } = await watched({ upstream: says({ calls: [call("c", "read_file")] }) });
    const body = { messages: [user("read it")], tools };
    const first = await ask(gate, body, session);
    await gate.settle();
    const other = await beside(gate, { upstream: says({ calls: [call("d", "write_file")] }) });
    const second = await ask(other, body, session);
    expect([first.calls.map(({ id }) => id), second.calls.map(({ id }) => id)]).toEqual([["c"], ["c"]]);
    expect(other.sent.length).toBe(1);
    await other.settle();
    expect(await stepsOf(gate)).toEqual([
      { steps: 1, redone: false, stop_reason: "completed" },
      { steps: 0, redone: true, stop_reason: "completed" },
    ]);
  });
});

describe("an object that fails while the model is called", () => {
  it.each(["before it has opened the turn", "after it"])(
    "%s: nothing is given to the client, and the call is aborted",
    async (when) => {
      const ended = Promise.withResolvers<void>();
      const asked = Promise.withResolvers<void>();
      const gate = await gateway({
        policy,
        upstream: (body, request) => {
          request.signal.addEventListener("abort", () => ended.resolve());
          asked.resolve();
          return says({ calls: [call("c", "write_file")] })(body, request);
        },
        variables: watchedGuard(async (path, call) => {
          if (path !== "turns.open") return call();
          if (when === "after it") await call();
          await asked.promise;
          throw new Error("the object was reset");
        }),
      });
      const { status, calls, error } = await ask(gate, { messages: [user("write")], tools, stream: true }, session);
      expect([status, calls, error?.code]).toEqual([503, [], "gateway_unavailable"]);
      await ended.promise;
      expect(gate.sent.length).toBe(1);
      await gate.settle();
    },
  );

  it("once its decision is asked for: the call of the model is not released", async () => {
    const gate = await gateway({
      policy,
      upstream: says({ calls: [call("c", "write_file")] }),
      variables: watchedGuard((path, call) =>
        path === "turns.decide" ? Promise.reject(new Error("the object was reset")) : call(),
      ),
    });
    const { calls, error } = await ask(gate, { messages: [user("write")], tools, stream: true }, session);
    expect([calls, error?.code]).toEqual([[], "gateway_unavailable"]);
    await gate.settle();
  });

  it("that answers after the model has ended: the reply is whole", async () => {
    const asked = Promise.withResolvers<void>();
    const gate = await gateway({
      policy,
      upstream: (body, request) => {
        asked.resolve();
        return says({ text: "hello" })(body, request);
      },
      variables: watchedGuard(async (path, call) => {
        if (path === "turns.open") await asked.promise;
        return call();
      }),
    });
    expect((await ask(gate, { messages: [user("hi")], tools, stream: true }, session)).text).toBe("hello");
    expect((await stepsOf(gate)).length).toBe(1);
  });

  it("an upstream that cannot be reached is not asked again before the object has answered", async () => {
    const release = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const gate = await gateway({
      policy,
      upstream: [
        () => {
          asked.resolve();
          throw new Error("no connection");
        },
        says({ text: "hello" }),
      ],
      pace: { wait: async () => {} },
      variables: {
        UPSTREAM_RETRIES: "1",
        ...watchedGuard(async (path, call) => {
          const answer = await call();
          if (path === "turns.open") await release.promise;
          return answer;
        }),
      },
    });
    const reply = ask(gate, { messages: [user("hi")], tools }, session);
    await asked.promise;
    await env.KV.get("nothing");
    expect(gate.sent.length).toBe(1);
    release.resolve();
    expect((await reply).text).toBe("hello");
    expect(messagesOf(gate.sent[1]).length).toBe(1);
    await gate.settle();
  });
});
