/** What a turn with managed calls leaves in the log, in its headers, in its trace and in the trail. */
import { expect, it } from "vitest";
import { gateway } from "../support/gateway.ts";
import { ask, call, says, user } from "../support/script.ts";
import { captureLog } from "./capture-log.ts";

const secret = "hunter2-hunter2";
const parameters = { type: "object", properties: { who: { type: "string" } } };
const run = (path: string) => ({ kind: "http", url: `https://crm.example.com/${path}` });
const policy = {
  handshake: { select: "off" },
  tools: {
    find_customer: { category: "read_only", parameters, run: run("find") },
    post_note: { category: "note_taking", confirm: "auto", parameters, run: run("note") },
  },
};

it("tells how many there were, how long they took and what came of them, and nobody's words", async () => {
  const log = captureLog();
  const posts: string[] = [];
  const gate = await gateway({
    policy,
    role: "admin",
    variables: { TOOL_DNS: "off", OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.test" },
    upstream: [
      says({ calls: [call("c1", "find_customer", { who: secret }), call("c2", "post_note", { who: secret })] }),
      says({ text: "ok" }),
    ],
    async elsewhere(request) {
      const { host, pathname } = new URL(request.url);
      if (host === "collector.test") {
        posts.push(await request.text());
        return new Response("{}");
      }
      return Response.json({ found: secret }, { status: pathname === "/find" ? 200 : 409 });
    },
  });
  const reply = await ask(gate, { messages: [user("go")] }, { "x-toolgate-session": "s" });
  expect(reply.text).toBe("ok");
  expect(reply.headers.get("server-timing")).toMatch(/, upstream;dur=\d+, tools;dur=\d+$/);
  await gate.settle();

  const [line] = log.lines("turn");
  expect(line).toMatchObject({
    decisions: [{ tool: "find_customer" }, { tool: "post_note" }],
    steps: 2,
    runs: {
      count: 2,
      failed: 1,
      unknown: 0,
      ms: expect.any(Number),
      undone: [{ tool: "post_note", status: "failed", failure: "tool_failed" }],
    },
    ms: { tools: expect.any(Number) },
  });
  const spans = posts.join().match(/"execute_tool [a-z_]+"/g);
  expect(spans?.sort()).toEqual(['"execute_tool find_customer"', '"execute_tool post_note"']);

  const [turn] = await gate.turns();
  expect(await gate.runs("&status=failed")).toMatchObject([
    { turn: turn?.id, tool: "post_note", executor: "http", target: "crm.example.com", http_status: 409 },
  ]);
  const key = await gate.keyFor("op", "admin");
  const trail = await (await gate.fetch(`/v1/audit/turns/${turn?.id}`, { key })).json();
  expect(trail).toMatchObject({
    turn: { id: turn?.id },
    decisions: [
      { tool: "find_customer", disposition: "run", run: { status: "succeeded" } },
      { tool: "post_note", disposition: "run", run: { status: "failed", failure: "tool_failed" } },
    ],
  });
  const verified = await (await gate.fetch("/v1/audit/verify?user=ada", { key })).json();
  expect(verified).toMatchObject({ ok: true, waiting: 0 });
  // What a tool answered is nowhere; what it was called with is where the policy lets it be.
  for (const told of [log.text(), posts.join(), JSON.stringify(await gate.runs())]) expect(told).not.toContain(secret);
});
