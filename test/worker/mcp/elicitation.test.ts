/** Questions that the client itself puts to the person, in both revisions of the protocol. */
import { describe, expect, it } from "vitest";
import type { Gateway } from "../support/gateway.ts";
import { managed, policy } from "../tools/managed.ts";
import { type McpClient, mcpClient, messagesOf, type Rpc, readAnswer, textOf } from "./mcp-client.ts";

const call = (name: string, args: object, more: object = {}) => ({
  jsonrpc: "2.0",
  id: 9,
  method: "tools/call",
  params: { name, arguments: args, ...more },
});
const lead = call("create_lead", { name: "Ada" });

interface Held {
  readonly question: Rpc;
  /** All that comes after the question. */
  rest(): Promise<readonly Rpc[]>;
}

/** The call as it waits: what has come on its stream so far is the question. */
async function held(client: McpClient, message: object = lead): Promise<Held> {
  const stream = messagesOf(await client.send(message));
  const { value: question } = await stream.next();
  if (!question) throw new Error("the stream ended");
  return {
    question,
    async rest() {
      const messages: Rpc[] = [];
      for await (const one of stream) messages.push(one);
      return messages;
    },
  };
}

async function opened(gate: Gateway, elicitation: object = {}): Promise<McpClient> {
  const client = mcpClient(gate);
  await client.open({ elicitation });
  return client;
}

const accept = (answer: unknown) => ({ action: "accept", content: { answer } });

const answer = (client: McpClient, { question }: Held, result: unknown) =>
  client.send({ jsonrpc: "2.0", id: question.id, result });

const schemaOf = ({ params = {} }: Rpc) =>
  params.requestedSchema as { readonly properties: { readonly answer: { readonly enum: readonly string[] } } };

describe("a client that asks", () => {
  it("shows the disclosure, and a yes runs the call in the same answer", async () => {
    const { gate, asked } = await managed({});
    const client = await opened(gate);
    const waiting = await held(client);
    expect(waiting.question).toMatchObject({
      method: "elicitation/create",
      params: {
        mode: "form",
        requestedSchema: { properties: { answer: { enum: ["yes", "no"] } }, required: ["answer"] },
      },
    });
    expect(waiting.question.id).toMatch(/^appr_/);
    expect(waiting.question.params?.message).toContain("Create a lead: `Ada`?");
    expect(asked).toEqual([]);
    expect((await answer(client, waiting, accept("yes"))).status).toBe(202);
    const rest = await waiting.rest();
    expect(rest).toHaveLength(1);
    expect(rest[0]).toMatchObject({ id: 9, result: { content: [{ type: "text" }] } });
    expect(rest[0]?.result.isError).toBeUndefined();
    expect(asked).toHaveLength(1);
    expect(await gate.approvals()).toMatchObject([{ event: "asked" }, { event: "approved", via: "native", by: "ada" }]);
  });

  it.each([
    ["a no", accept("no")],
    ["another word", accept("YES!")],
    ["an empty form, as a client that fills in defaults sends it", { action: "accept", content: {} }],
    ["an accept without a form", { action: "accept" }],
    ["a form that was declined", { action: "decline" }],
    ["a form that was closed", { action: "cancel" }],
    ["a list", accept(["yes"])],
    ["nothing", undefined],
  ])("takes %s for no", async (_, result) => {
    const { gate, asked } = await managed({});
    const client = await opened(gate);
    const waiting = await held(client);
    await answer(client, waiting, result);
    const [end] = await waiting.rest();
    expect(end?.result).toMatchObject({ isError: true, _meta: { "toolgate/reasons": ["approval_denied"] } });
    expect(asked).toEqual([]);
  });

  it("asks about a first use, and enables the tool only where the person says so", async () => {
    const tools = { weather: { ...policy().tools.weather, category: "external", confirm: "auto", trusted: true } };
    const { gate, asked } = await managed({ policy: policy({ tools }) });
    const client = await opened(gate);
    const first = await held(client, call("weather", {}));
    const { answer: field } = schemaOf(first.question).properties;
    expect(field.enum).toEqual(["yes", "yes, and from now on", "no"]);
    await answer(client, first, accept("yes"));
    await first.rest();
    const second = await held(client, call("weather", {}));
    expect(second.question.method).toBe("elicitation/create");
    await answer(client, second, accept("yes, and from now on"));
    await second.rest();
    expect((await client.call("weather")).others).toEqual([]);
    expect(asked).toHaveLength(3);
  });

  it("hears that the question was answered elsewhere", async () => {
    const { gate, asked } = await managed({});
    const client = await opened(gate);
    const waiting = await held(client);
    await gate.fetch(`/v1/approvals/${waiting.question.id}`, { json: { action: "approve" } });
    const [told, end] = await waiting.rest();
    expect(told).toMatchObject({
      method: "notifications/cancelled",
      params: { requestId: waiting.question.id },
    });
    expect(end?.result.isError).toBeUndefined();
    // It comes too late: the first answer counts.
    await answer(client, waiting, accept("no"));
    expect(asked).toHaveLength(1);
  });

  it("takes an answer for its own session's questions alone, and of its own user", async () => {
    const { gate, asked } = await managed({});
    const client = await opened(gate);
    const waiting = await held(client);
    const other = await opened(gate);
    const stranger = mcpClient(gate, await gate.keyFor("eve", "user"));
    stranger.session = client.session;
    for (const one of [other, stranger]) expect((await answer(one, waiting, accept("yes"))).status).toBe(202);
    await client.send({ jsonrpc: "2.0", id: "appr_none", result: accept("yes") });
    expect(
      (await gate.fetch(`/v1/approvals/${waiting.question.id}`).then((read) => read.json())) as object,
    ).toMatchObject({
      status: "pending",
    });
    expect(asked).toEqual([]);
    await answer(client, waiting, accept("no"));
    await waiting.rest();
  });

  it("answers twice in vain: the call runs once, and a no after the yes changes nothing", async () => {
    const { gate, asked } = await managed({});
    const client = await opened(gate);
    const waiting = await held(client);
    await Promise.all([1, 2, 3].map(() => answer(client, waiting, accept("yes"))));
    await answer(client, waiting, accept("no"));
    await waiting.rest();
    expect(asked).toHaveLength(1);
  });

  it("whose stream breaks off leaves the question open, and the same call runs once it is answered", async () => {
    const { gate, asked } = await managed({});
    const client = await opened(gate);
    const response = await client.send(lead);
    const stream = messagesOf(response);
    const { value: question } = await stream.next();
    await stream.return();
    await gate.settle();
    expect(asked).toEqual([]);
    await client.send({ jsonrpc: "2.0", id: question?.id, result: accept("yes") });
    const ran = await client.call("create_lead", { name: "Ada" });
    expect(ran.message.result.isError).toBeUndefined();
    expect(asked).toHaveLength(1);
  });
});

const PAGES = { SIGNING_KEYS: `k1:${"51".repeat(32)}`, PUBLIC_URL: "https://gate.test" };
const linked = policy({ confirmation: { link: true } });

describe("a client that opens pages", () => {
  it("gets the signed link beside the model, and the page answers", async () => {
    const { gate, asked } = await managed({ policy: linked, variables: PAGES });
    const client = await opened(gate, { url: {} });
    const waiting = await held(client);
    const { url, elicitationId, mode } = waiting.question.params as Record<string, string>;
    expect([mode, elicitationId]).toEqual(["url", waiting.question.id]);
    expect(url).toMatch(/^https:\/\/gate\.test\/approve\//);
    // To have opened the page is no answer.
    await answer(client, waiting, { action: "accept" });
    const path = new URL(String(url)).pathname;
    const body = new URLSearchParams({ action: "approve" });
    const pressed = await gate.fetch(path, {
      method: "POST",
      body,
      headers: { "content-type": "application/x-www-form-urlencoded", origin: "https://gate.test" },
      origin: "https://gate.test",
    });
    expect(pressed.status).toBeLessThan(400);
    const rest = await waiting.rest();
    expect(rest.map(({ method }) => method)).toEqual(["notifications/elicitation/complete", undefined]);
    expect(asked).toHaveLength(1);
  });

  it("gets no link where the policy gives none", async () => {
    const { gate } = await managed({ variables: PAGES });
    const client = await opened(gate, { url: {} });
    const told = await client.call("create_lead", { name: "Ada" });
    expect(told.message.result.isError).toBe(true);
    expect(JSON.stringify(told)).not.toContain("/approve/");
  });
});

describe("the model of a client that cannot ask", () => {
  it("is shown no link that answers", async () => {
    const { gate } = await managed({ policy: linked, variables: PAGES });
    const client = mcpClient(gate);
    await client.open();
    const told = await client.call("create_lead", { name: "Ada" });
    expect(textOf(told)).toContain("https://gate.test/console");
    expect(JSON.stringify(told)).not.toContain("/approve/");
  });
});

const META = "io.modelcontextprotocol";
const modern = (message: ReturnType<typeof call>, capabilities: object, more: object = {}) => ({
  ...message,
  params: {
    ...message.params,
    ...more,
    _meta: {
      [`${META}/protocolVersion`]: "2026-07-28",
      [`${META}/clientInfo`]: { name: "test", version: "1" },
      [`${META}/clientCapabilities`]: capabilities,
    },
  },
});

const sendModern = async (client: McpClient, message: ReturnType<typeof modern>) => {
  const headers = {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": message.method,
    "mcp-name": message.params.name,
  };
  return readAnswer(await client.send(message, { headers }), 9);
};

describe("the revision without sessions", () => {
  it("ends the call with the question, and runs it when it comes with the answer", async () => {
    const { gate, asked } = await managed({});
    const client = mcpClient(gate);
    const can = { elicitation: { form: {} } };
    const first = await sendModern(client, modern(lead, can));
    expect(first.message.result).toMatchObject({
      resultType: "input_required",
      inputRequests: { approval: { method: "elicitation/create", params: { mode: "form" } } },
    });
    const { requestState } = first.message.result as { requestState: string };
    const responses = { inputResponses: { approval: accept("yes") }, requestState };
    // Of another call it is no answer.
    const other = call("delete_lead", { id: "7" });
    await sendModern(client, modern(other, can, responses));
    expect(asked.filter(({ method }) => method === "POST")).toEqual([]);
    const ran = await sendModern(client, modern(lead, can, responses));
    expect(ran.message.result.isError).toBeUndefined();
    expect(asked.filter(({ method }) => method === "POST")).toHaveLength(1);
    // The same again asks again.
    const again = await sendModern(client, modern(lead, can, responses));
    expect(again.message.result.resultType).toBe("input_required");
    expect(again.message.result.requestState).not.toBe(requestState);
  });

  it("refuses on a no, and tells a client that cannot ask as an error", async () => {
    const { gate, asked } = await managed({});
    const client = mcpClient(gate);
    const told = await sendModern(client, modern(lead, {}));
    expect(told.message.result).toMatchObject({ isError: true, content: [{ type: "text" }] });
    const can = { elicitation: {} };
    const first = await sendModern(client, modern(lead, can));
    const { requestState } = first.message.result as { requestState: string };
    const refused = await sendModern(
      client,
      modern(lead, can, { inputResponses: { approval: { action: "decline" } }, requestState }),
    );
    expect(refused.message.result).toMatchObject({ isError: true, _meta: { "toolgate/reasons": ["approval_denied"] } });
    expect(asked).toEqual([]);
  });

  it("takes nobody else's question for its own", async () => {
    const { gate, asked } = await managed({});
    const can = { elicitation: {} };
    const first = await sendModern(mcpClient(gate), modern(lead, can));
    const { requestState } = first.message.result as { requestState: string };
    const eve = mcpClient(gate, await gate.keyFor("eve", "user"));
    const answered = modern(lead, can, { inputResponses: { approval: accept("yes") }, requestState });
    const own = await sendModern(eve, answered);
    expect(own.message.result.requestState).not.toBe(requestState);
    expect(asked).toEqual([]);
  });
});
