import { describe, expect, it } from "vitest";
import { codeIn } from "../approvals/approvals.ts";
import { tool } from "../support/gateway.ts";
import {
  type Answer,
  ask,
  call,
  messagesOf,
  outlineOf,
  result,
  says,
  selects,
  toolsOf,
  user,
} from "../support/script.ts";
import { type Asked, managed, policy, runsIn, runsOf, tell, together, tools } from "./managed.ts";

const hi = [user("please do")];
const session = { "x-toolgate-session": "s" };
const done = says({ text: "All done." });
const definitionOf = (sent: Record<string, unknown> | undefined, name: string) =>
  ((sent?.tools ?? []) as { function: { name: string; parameters: unknown } }[]).find(
    (one) => one.function.name === name,
  )?.function;
const saidBy = (sent: Record<string, unknown> | undefined, id: string): string =>
  String(messagesOf(sent).find((message) => message.tool_call_id === id)?.content);

describe("a step with managed calls", () => {
  const mixed = says({
    text: "Let me see.",
    calls: [
      call("a", "find_lead", { name: "ada" }),
      call("b", "weather", { city: "Bern" }),
      call("c", "find_lead", { name: "bob" }),
      call("d", "purge"),
      call("e", "create_lead", { name: "eve" }),
      call("f", "read_file"),
    ],
  });

  for (const stream of [true, false]) {
    it(`runs them at once beside what is refused, asked and released (stream ${stream})`, async () => {
      const all = together(3);
      const { gate, asked } = await managed({ upstream: [mixed, done] }, async ({ path }) => {
        await all();
        return { path };
      });
      const body = { messages: hi, tools: [tool("read_file")], stream };
      const first = await ask(gate, body, { ...session, ...tell });
      expect([first.text, first.calls.map(({ id }) => id)]).toEqual(["Let me see.", ["f"]]);
      expect(asked.map(({ path }) => path).sort()).toEqual([
        "crm.test/leads/ada",
        "crm.test/leads/bob",
        "weather.test/now?city=Bern",
      ]);
      expect(first.note.decisions.map(({ call_id, effect }) => `${call_id} ${effect}`)).toEqual([
        "a allow",
        "b allow",
        "c allow",
        "d deny",
        "e confirm",
        "f allow",
      ]);
      expect(runsOf(first.note)).toMatchObject([
        { call_id: "a", tool: "find_lead", arguments: { name: "ada" }, status: "succeeded", trusted: true },
        { call_id: "b", tool: "weather", status: "succeeded", trusted: false },
        { call_id: "c", tool: "find_lead", status: "succeeded" },
      ]);
      expect((await gate.decisions()).map(({ disposition }) => disposition)).toEqual([
        ...Array(3).fill("run"),
        "refused",
        "asked",
        "released",
      ]);
      // The client brings its own call's result back, and then the answer: what it never saw stands before that call.
      const history = [...hi, first.message, result("f")];
      const again = await ask(gate, { ...body, messages: history }, session);
      expect([again.note.stop_reason, gate.sent.length]).toEqual(["awaiting_approval", 1]);
      history.push(again.message, user(`yes ${codeIn(again)}`));
      expect((await ask(gate, { ...body, messages: history }, session)).text).toBe("All done.");
      expect(outlineOf(gate.sent[1])).toEqual([
        "user",
        "assistant(a,b,c,d)",
        ...["tool(a)", "tool(b)", "tool(c)", "tool(d)"],
        "assistant(f)",
        "tool(f)",
        ...["assistant", "user"],
        ...["assistant(e)", "tool(e)"],
      ]);
      expect(asked.at(-1)).toMatchObject({ method: "POST", body: { name: "eve", owner: "ada" } });
      expect(saidBy(gate.sent[1], "c")).toContain("crm.test/leads/bob");
    });

    it(`goes on with the results, and the client sees the answer alone (stream ${stream})`, async () => {
      const upstream = [says({ text: "Hm. ", calls: [call("a", "find_lead", { name: "x" })] }), done];
      const { gate } = await managed({ upstream });
      const answer = await ask(gate, { messages: hi, stream }, session);
      expect([answer.text, answer.calls, answer.finish]).toEqual([
        stream ? "Hm. \n\nAll done." : "All done.",
        [],
        "stop",
      ]);
      expect("runs" in answer.note).toBe(false);
      expect(outlineOf(gate.sent[1])).toEqual(["user", "assistant(a)", "tool(a)"]);
      expect(saidBy(gate.sent[1], "a")).toContain('"as it is"');
      expect(await gate.turns()).toMatchObject([{ steps: 2, stop_reason: "completed" }]);
      expect(await runsIn(gate)).toMatchObject([
        { tool: "find_lead", call_id: "a", status: "succeeded", executor: "http" },
      ]);
    });
  }

  it("stops at the limit of steps, and after as many corrections", async () => {
    const again = says({ calls: [call("a", "find_lead", { name: "x" })] });
    const { gate, asked } = await managed({ policy: policy({ execution: { maxSteps: 2 } }), upstream: again });
    expect((await ask(gate, { messages: hi })).note.stop_reason).toBe("step_limit");
    expect(asked.length).toBe(2);
  });

  it("tells the model of a failure and goes on", async () => {
    const upstream = [says({ calls: [call("a", "find_lead", { name: "x" })] }), done];
    const { gate } = await managed({ upstream }, () => new Response("no", { status: 500 }));
    const answer = await ask(gate, { messages: hi }, tell);
    expect([answer.text, runsOf(answer.note)]).toMatchObject(["All done.", [{ status: "failed" }]]);
    expect(saidBy(gate.sent[1], "a")).toContain("failed");
  });

  it("sets what only the gateway knows over what the model sent, and the record has it", async () => {
    const tricks = { name: "eve", owner: "mallory" };
    const over = { ...tools, create_lead: { ...tools.create_lead, confirm: "auto" } };
    const upstream = [says({ calls: [call("a", "create_lead", tricks)] }), done];
    const { gate, asked } = await managed({ policy: policy({ tools: over }), upstream });
    await ask(gate, { messages: hi });
    expect(definitionOf(gate.sent[0], "create_lead")?.parameters).toEqual({
      type: "object",
      properties: { name: { type: "string" } },
      required: ["name"],
    });
    expect(asked[0]?.body).toEqual({ name: "eve", owner: "ada" });
    expect(await gate.decisions()).toMatchObject([{ effect: "allow", arguments: { name: "eve", owner: "ada" } }]);
    expect(outlineOf(gate.sent[1])).toEqual(["user", "assistant(a)", "tool(a)"]);
    expect(JSON.stringify(messagesOf(gate.sent[1]))).not.toContain("mallory");
  });

  it("tells what runs unasked before it runs, where the policy says so", async () => {
    const confirmation = { discloseUnasked: true };
    const upstream = [says({ text: "Hm.", calls: [call("a", "weather", { city: "Bern" })] }), done];
    for (const stream of [true, false]) {
      const { gate } = await managed({ policy: policy({ confirmation }), upstream });
      const { text, message } = await ask(gate, { messages: hi, stream }, session);
      expect(text).toMatch(stream ? /^Hm\.\n\n`.*weather.*…`\n\nAll done\.$/ : /^`.*weather.*…`\n\nAll done\.$/);
      // The answer is known again with these words.
      await ask(gate, { messages: [...hi, message, user("thanks")], stream }, session);
      expect(outlineOf(gate.sent[2])).toEqual(["user", "assistant(a)", "tool(a)", "assistant", "user"]);
      const quiet = await managed({ policy: policy({ confirmation }), upstream });
      const format = { response_format: { type: "json_object" } };
      expect((await ask(quiet.gate, { messages: hi, stream, ...format })).text).toBe("All done.");
    }
    const both = [call("a", "weather", {}), call("c", "create_lead", { name: "eve" }), call("r", "read_file")];
    for (const calls of [both.slice(0, 2), [both[0], both[2]] as typeof both]) {
      const { gate } = await managed({ policy: policy({ confirmation }), upstream: says({ calls }) });
      const { text } = await ask(gate, { messages: hi, tools: [tool("read_file")] });
      expect(text).toMatch(/^`.*weather.*…`\n\n(\*\*|`)/);
    }
  });
});

describe("which managed tools are offered", () => {
  const offered = async (body: Record<string, unknown>): Promise<Answer & { sent: string[]; choice: unknown }> => {
    const { gate } = await managed({ upstream: done });
    const answer = await ask(gate, { messages: hi, ...body });
    return { ...answer, sent: toolsOf(gate.sent[0]), choice: gate.sent[0]?.tool_choice };
  };
  const own = ["find_lead", "weather", "create_lead", "delete_lead"];

  it("stand behind the client's, also where it has none, and count for what is saved", async () => {
    expect((await offered({})).sent).toEqual(own);
    const { sent, note } = await offered({ tools: [tool("read_file")] });
    expect(sent).toEqual(["read_file", ...own]);
    expect(note.withheld).toEqual([]);
    expect((note as unknown as { tokens_saved: number }).tokens_saved).toBeGreaterThan(0);
  });

  it("are none where several answers are asked for, and what `tool_choice` leaves of them", async () => {
    expect((await offered({ n: 2 })).sent).toEqual([]);
    expect((await offered({ tool_choice: "none" })).choice).toBe("none");
    expect((await offered({ tool_choice: "required" })).choice).toBe("required");
    const named = (name: string) => ({ type: "function", function: { name } });
    expect((await offered({ tool_choice: named("weather") })).choice).toEqual(named("weather"));
    const allowed_tools = { mode: "auto", tools: [named("weather")] };
    expect((await offered({ tool_choice: { type: "allowed_tools", allowed_tools } })).choice).toMatchObject({
      allowed_tools,
    });
    expect((await offered({ tool_choice: named("purge") })).error?.code).toBe("tool_policy_blocked");
    expect(await offered({ tool_choice: named("nothing") })).toMatchObject({
      status: 400,
      error: { code: "invalid_request", param: "tool_choice" },
    });
    expect((await offered({ n: 2, tool_choice: "required" })).status).toBe(400);
  });

  it("are not told by name to who could never use them, unless the client brings them; the record has them", async () => {
    const admins = { modes: { default: { allow: ["weather", "purge"] }, all: { allow: ["*"], roles: ["user"] } } };
    const { gate } = await managed({ policy: policy(admins), upstream: done });
    const { note } = await ask(gate, { messages: hi });
    const others = ["find_lead", "create_lead", "delete_lead"];
    expect(note.withheld).toEqual(others.map((name) => ({ name, reasons: ["mode_forbids"] })));
    expect(await gate.turns()).toMatchObject([
      { withheld: [...note.withheld, { name: "purge", reasons: ["role_forbids"] }] },
    ]);
    expect((await ask(gate, { messages: [user("/toolgate status")] })).text).not.toContain("purge");
    const none = await managed({ policy: policy({ tools: { purge: tools.purge } }), upstream: done });
    const refused = await ask(none.gate, { messages: hi, tool_choice: "required" });
    expect([refused.status, refused.error?.message.includes("purge")]).toEqual([400, false]);
    const brought = await ask(gate, { messages: hi, tools: [tool("purge", { type: "object", properties: {} })] });
    expect(brought.note.withheld.map(({ name }) => name)).toContain("purge");
  });

  it("are demanded until one was run: not again and again, nor on a yes that has run one", async () => {
    const named = { type: "function", function: { name: "create_lead" } };
    const allowed = { type: "function", function: { name: "find_lead" } };
    const finds = says({ calls: [call("a", "find_lead", { name: "x" })] });
    const subset = (mode: string) => ({ type: "allowed_tools", allowed_tools: { mode, tools: [allowed] } });
    for (const [tool_choice, then] of [
      ["required", "auto"],
      [allowed, "none"],
      [subset("required"), subset("auto")],
    ]) {
      const { gate } = await managed({ upstream: [finds, done] });
      expect((await ask(gate, { messages: hi, tool_choice })).text).toBe("All done.");
      expect(gate.sent.map((sent) => sent.tool_choice)).toEqual([tool_choice, then]);
    }
    const creates = says({ calls: [call("c", "create_lead", { name: "eve" })] });
    const { gate } = await managed({ upstream: [creates, done] });
    const question = await ask(gate, { messages: hi, tool_choice: named }, session);
    await ask(gate, { messages: [...hi, question.message, user("yes")], tool_choice: named }, session);
    expect(gate.sent.map((sent) => sent.tool_choice)).toEqual([named, "none"]);
  });

  it("are the client's of the same name where it says the same, and neither where it says otherwise", async () => {
    const { parameters } = tools.find_lead;
    const same = await offered({ tools: [tool("find_lead", parameters), tool("read_file")] });
    expect(same.sent).toEqual(["find_lead", "read_file", "weather", "create_lead", "delete_lead"]);
    const others = { type: "object", properties: { all: {} } };
    const bare = policy({
      tools: { ping: { category: "read_only", run: { kind: "http", url: "https://crm.test/ping" } } },
    });
    const ping = await managed({ policy: bare, upstream: done });
    const pinged = await ask(ping.gate, { messages: hi, tools: [tool("ping", others)] });
    expect(pinged.note.withheld).toEqual([{ name: "ping", reasons: ["definition_changed"] }]);
    // Another description is no other tool, as it would be of a client's own.
    const { gate } = await managed({ upstream: done });
    for (const description of ["one", "two"]) {
      const described = { type: "function", function: { name: "find_lead", description, parameters } };
      await ask(gate, { messages: hi, tools: [described] }, session);
    }
    expect(toolsOf(gate.sent[1])).toContain("find_lead");
    const other = await offered({ tools: [tool("find_lead", others)] });
    expect(other.sent).not.toContain("find_lead");
    expect(other.note.withheld).toContainEqual({ name: "find_lead", reasons: ["definition_changed"] });
  });

  it("are told by a header that says so, and by no other", async () => {
    const { gate } = await managed({ upstream: done });
    expect(await ask(gate, { messages: hi }, { "x-toolgate-runs": "all" })).toMatchObject({
      status: 400,
      error: { param: "x-toolgate-runs" },
    });
  });

  it("are told with what they brought where the client wishes it, without the lines that are for the model", async () => {
    const looks = says({ calls: [call("a", "find_lead", { name: "ada" })] });
    const { gate } = await managed({ upstream: [looks, done, looks, done] });
    const results = (told: string) =>
      ask(gate, { messages: hi }, { "x-toolgate-session": told, "x-toolgate-runs": told });
    const [run] = runsOf((await results("results")).note);
    expect(run).toMatchObject({ tool: "find_lead", status: "succeeded" });
    expect(JSON.parse((run as unknown as { result: string }).result)).toEqual({
      path: "crm.test/leads/ada",
      note: "as it is",
    });
    expect(runsOf((await results("tell")).note)[0]).not.toHaveProperty("result");
  });
});

describe("what the model has seen of managed calls", () => {
  const first = says({ text: "Sunny.", calls: [] });
  const looks = says({ calls: [call("w", "weather", { city: "Bern" })] });

  for (const stream of [true, false]) {
    it(`comes back before the answer that it led to, once, and nowhere else (stream ${stream})`, async () => {
      const { gate } = await managed({ upstream: [looks, first, looks, first, done, done, done] });
      const history: unknown[] = [];
      for (const words of ["how is it?", "and now?"]) {
        history.push(user(words));
        history.push((await ask(gate, { messages: history, stream }, session)).message);
      }
      await ask(gate, { messages: [...history, user("thanks")], stream }, session);
      const once = ["assistant(w)", "tool(w)", "assistant"];
      expect(outlineOf(gate.sent[4])).toEqual(["user", ...once, "user", ...once, "user"]);
      // The same words after another question are another answer.
      const made = [user("what is my name?"), { role: "assistant", content: "Sunny." }, user("thanks")];
      await ask(gate, { messages: made, stream }, session);
      expect(outlineOf(gate.sent[5])).toEqual(["user", "assistant", "user"]);
      // Nor does another session know of it.
      await ask(gate, { messages: [...history, user("thanks")], stream }, { "x-toolgate-session": "other" });
      expect(outlineOf(gate.sent[6])).toEqual(["user", "assistant", "user", "assistant", "user"]);
    });
  }

  it("comes back before a released call in later tasks too, its result shortened where it is long", async () => {
    const calls = [call("w", "weather", {}), call("v", "weather", {}), call("r", "read_file")];
    const { gate } = await managed({ upstream: [says({ calls }), first, done] }, () => "x".repeat(30_000));
    const body = { tools: [tool("read_file")] };
    const history: unknown[] = [user("look")];
    history.push((await ask(gate, { ...body, messages: history }, session)).message, result("r"));
    history.push((await ask(gate, { ...body, messages: history }, session)).message, user("thanks"));
    await ask(gate, { ...body, messages: history }, session);
    const before = ["user", "assistant(w,v)", "tool(w)", "tool(v)", "assistant(r)", "tool(r)"];
    expect(outlineOf(gate.sent[1])).toEqual(before);
    expect(saidBy(gate.sent[1], "w").length).toBeGreaterThan(30_000);
    expect(outlineOf(gate.sent[2])).toEqual([...before, "assistant", "user"]);
    expect(saidBy(gate.sent[2], "w")).toMatch(/^.{15000,16500}\n\[cut: the rest is not kept\]$/s);
  });
});

describe("what managed calls are to the turn's own rules", () => {
  it("untrusted text counts within the very turn: the code of a call asked for after it must be typed", async () => {
    const asks = says({ calls: [call("c", "create_lead", { name: "eve" })] });
    const plain = await managed({ upstream: [says({ calls: [call("a", "find_lead", { name: "x" })] }), asks] });
    expect((await ask(plain.gate, { messages: hi })).text).not.toContain("with the code");
    const { gate } = await managed({ upstream: [says({ calls: [call("a", "weather")] }), asks] });
    expect((await ask(gate, { messages: hi })).text).toContain("with the code");
  });

  it("untrusted text counts within the very turn: what the model selects after it needs a person", async () => {
    const intents = {
      LOOK: { keywords: ["look"], tools: ["weather"] },
      PAY: { keywords: ["pay"], tools: ["create_lead"] },
    };
    const set = policy({ intents, handshake: { select: "detected" } });
    const pays = says({ calls: [call("c", "create_lead", { name: "eve" })] });
    const upstream = [says({ calls: [call("a", "weather")] }), says({ calls: [selects("PAY")] }), pays];
    const { gate } = await managed({ policy: set, upstream });
    const { note } = await ask(gate, { messages: [user("look")] });
    expect(note).toMatchObject({ intents: ["LOOK", "PAY"], stop_reason: "awaiting_approval" });
    expect(note.decisions.at(-1)?.reasons.map(({ code }) => code)).toContain("intent_undetected");
  });

  it("their successes are the families' that an intent requires", async () => {
    const intents = {
      LEAD: {
        keywords: ["lead"],
        families: { enabled: true, allowedFamilies: ["crm"], requiredSuccessFamilies: ["crm"], failTaskIfUnmet: true },
      },
    };
    const set = { families: { crm: ["find_lead"] }, intents, handshake: { select: "detected" } };
    const upstream = [says({ calls: [call("a", "find_lead", { name: "x" })] }), done];
    const { gate } = await managed({ policy: policy(set), upstream });
    expect((await ask(gate, { messages: [user("the lead")] })).note.stop_reason).toBe("completed");
    const failing = await managed({ policy: policy(set), upstream }, () => new Response("", { status: 500 }));
    expect((await ask(failing.gate, { messages: [user("the lead")] })).note.stop_reason).toBe(
      "intent_execution_failed",
    );
  });

  it("a provider that is not linked is told before the model is asked, in the user's language", async () => {
    const linked = { ...tools, weather: { ...tools.weather, connection: "meteo" } };
    const intents = { SKY: { keywords: ["weather", "天气", "天気"], tools: ["weather"] } };
    const set = policy({ tools: linked, intents, handshake: { select: "detected" } });
    for (const [words, told] of [
      ["the weather", "Connect `meteo` to use `weather`."],
      ["天气怎么样", "使用 `weather` 需要先关联 `meteo`。"],
      ["天気はどうですか", "`weather` を使うには、先に `meteo` を連携してください。"],
    ] as const) {
      const { gate } = await managed({ policy: set, upstream: done });
      const { text, note } = await ask(gate, { messages: [user(words)] });
      expect([text.includes(told), note.stop_reason, gate.sent.length]).toEqual([true, "tool_policy_blocked", 0]);
    }
    const named = { ...set, connections: { meteo: { label: { en: "Meteo Mail", de: "Meteo-Post" } } } };
    const more = { ...named, tools: { ...linked, find_lead: { ...tools.find_lead, connection: "meteo" } } };
    const all = { ...more, intents: { SKY: { keywords: ["weather", "wetter"], tools: ["weather", "find_lead"] } } };
    const { gate: labelled } = await managed({ policy: all, upstream: done });
    const links = async (words: string) =>
      (await ask(labelled, { messages: [user(words)] })).text.split("\n").filter((line) => line.startsWith("- "));
    expect(await links("the weather please")).toEqual(["- Connect Meteo Mail to use `find_lead`, `weather`."]);
    expect(await links("wie ist das Wetter heute bitte")).toEqual([
      "- Um `find_lead`, `weather` zu benutzen, bitte zuerst Meteo-Post verbinden.",
    ]);
    const { gate } = await managed({ policy: set, upstream: done, connections: ["meteo"] });
    expect((await ask(gate, { messages: [user("the weather")] })).text).toBe("All done.");
  });

  it("a client that goes away cancels what only reads, and what writes goes on to its end", async () => {
    const both = says({ calls: [call("a", "find_lead", { name: "x" }), call("b", "create_lead", { name: "eve" })] });
    const over = { ...tools, create_lead: { ...tools.create_lead, confirm: "auto" } };
    const all = together(2);
    const write = Promise.withResolvers<void>();
    const gone: Asked[] = [];
    const begun = Promise.withResolvers<void>();
    const { gate } = await managed(
      { policy: policy({ tools: over }), upstream: [both, done] },
      async (one, { signal }) => {
        await all();
        begun.resolve();
        if (one.method === "POST") return write.promise.then(() => ({ id: "7" }));
        return new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve())).then(() => {
          gone.push(one);
          write.resolve();
          return {};
        });
      },
    );
    const client = new AbortController();
    const json = { model: "m", messages: hi, stream: false };
    const answering = gate.fetch("/v1/chat/completions", { json, signal: client.signal });
    await begun.promise;
    client.abort();
    await answering;
    expect(await gate.turns()).toMatchObject([{ stop_reason: "aborted", steps: 1 }]);
    expect([gone.length, gate.sent.length]).toEqual([1, 1]);
    expect((await runsIn(gate)).map(({ tool, status, failure }) => [tool, status, failure])).toEqual([
      ["find_lead", "failed", "cancelled"],
      ["create_lead", "succeeded", null],
    ]);
  });
});

it("fills in what the schema says for itself, also where nobody is asked", async () => {
  const parameters = { type: "object", properties: { city: { type: "string", default: "Bonn" } } };
  const { gate, asked } = await managed({
    policy: policy({ tools: { ...tools, weather: { ...tools.weather, parameters } } }),
    upstream: [says({ calls: [call("w", "weather")] }), says({ text: "Rain." })],
  });
  const { note } = await ask(gate, { messages: [user("weather?")] }, tell);
  expect([asked.map(({ path }) => path), runsOf(note)]).toMatchObject([
    ["weather.test/now?city=Bonn"],
    [{ arguments: { city: "Bonn" } }],
  ]);
});
