/**
 * A person's answer to a call that the gateway runs itself, by every channel that can bring it: on chats as words and as data, over MCP by
 * a form, by a page, by another try of the call and from elsewhere, for a step of a plan. The same call runs, or none; the same rows are kept.
 */
import { describe, expect, it } from "vitest";
import { type McpClient, mcpClient, messagesOf, type Rpc, readAnswer } from "../mcp/mcp-client.ts";
import { approveCall, make, plans, run, step } from "../plans/planning.ts";
import type { Gateway } from "../support/gateway.ts";
import { call, says } from "../support/script.ts";
import { off, open, traces } from "./managed-situations.ts";
import { surfaces } from "./surfaces.ts";

const PAGES = { SIGNING_KEYS: `k1:${"51".repeat(32)}`, PUBLIC_URL: "https://gate.test" };
const policy = { ...off, confirmation: { link: true, channels: ["inline", "native", "hold"] } };

interface Asking {
  readonly tool: string;
  readonly arguments: object;
}

const askings: Record<string, Asking> = {
  "a question": { tool: "create_lead", arguments: { name: "Ada" } },
  "a first use": { tool: "send_out", arguments: { name: "Ada" } },
};

type Way = (asking: Asking, isYes: boolean) => Promise<Gateway>;

const chatWith = ({ tool, arguments: args }: Asking) =>
  open(policy, { upstream: [says({ calls: [call("c1", tool, args)] }), says({ text: "Done." })] });

const inWords =
  (name: string): Way =>
  async (asking, isYes) => {
    const gate = await chatWith(asking);
    const talk = surfaces.find((one) => one.name === name)?.open(gate, { tools: [] });
    await talk?.say("please do it");
    await talk?.say(isYes ? "yes" : "no");
    return gate;
  };

const asData =
  (name: string): Way =>
  async (asking, isYes) => {
    const gate = await chatWith(asking);
    const headers = { "x-toolgate-approvals": "native" };
    const talk = surfaces.find((one) => one.name === name)?.open(gate, { tools: [], headers });
    await talk?.say("please do it");
    await talk?.answer({ action: isYes ? "approve" : "deny" });
    return gate;
  };

const toolsCall = ({ tool, arguments: args }: Asking, more: object = {}) => ({
  jsonrpc: "2.0",
  id: 9,
  method: "tools/call",
  params: { name: tool, arguments: args, ...more },
});

/** A client of 2025 whose call waits in its stream. */
async function waitingCall(asking: Asking, elicitation: object) {
  const gate = await open(policy, { variables: PAGES });
  const client = mcpClient(gate);
  await client.open({ elicitation });
  const stream = messagesOf(await client.send(toolsCall(asking)));
  const { value: question } = await stream.next();
  if (question?.method !== "elicitation/create") throw new Error("nothing was asked");
  return { gate, client, question, end: () => Array.fromAsync(stream) };
}

const reply = (client: McpClient, { id }: Rpc, result: object) => client.send({ jsonrpc: "2.0", id, result });

const byForm: Way = async (asking, isYes) => {
  const { gate, client, question, end } = await waitingCall(asking, { form: {} });
  await reply(client, question, { action: "accept", content: { answer: isYes ? "yes" : "no" } });
  await end();
  return gate;
};

const byPage: Way = async (asking, isYes) => {
  const { gate, question, end } = await waitingCall(asking, { url: {} });
  await gate.fetch(new URL(String(question.params?.url)).pathname, {
    method: "POST",
    body: new URLSearchParams({ action: isYes ? "approve" : "deny" }),
    headers: { "content-type": "application/x-www-form-urlencoded", origin: "https://gate.test" },
    origin: "https://gate.test",
  });
  await end();
  return gate;
};

const META = "io.modelcontextprotocol";

/** A client of 2026, whose call ends with the question. */
const byAnotherTry: Way = async (asking, isYes) => {
  const gate = await open(policy);
  const client = mcpClient(gate);
  const ask = async (more: object) => {
    const message = toolsCall(asking, {
      ...more,
      _meta: {
        [`${META}/protocolVersion`]: "2026-07-28",
        [`${META}/clientInfo`]: { name: "test", version: "1" },
        [`${META}/clientCapabilities`]: { elicitation: {} },
      },
    });
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": message.method, "mcp-name": asking.tool };
    return readAnswer(await client.send(message, { headers }), 9);
  };
  const { requestState } = (await ask({})).message.result as { requestState: string };
  const answer = isYes ? { action: "accept", content: { answer: "yes" } } : { action: "decline" };
  await ask({ inputResponses: { approval: answer }, requestState });
  return gate;
};

/** A client that cannot ask: its call is an error, and is made again once somebody has answered. */
const fromElsewhere: Way = async (asking, isYes) => {
  const gate = await open(policy);
  const client = mcpClient(gate);
  await client.open();
  const told = await client.call(asking.tool, asking.arguments);
  const { id } = told.message.result._meta["toolgate/approval"] as { id: string };
  await gate.fetch(`/v1/approvals/${id}`, { json: { action: isYes ? "approve" : "deny" } });
  await client.call(asking.tool, asking.arguments);
  return gate;
};

const asStepOfAPlan: Way = async ({ tool, arguments: args }, isYes) => {
  const gate = await open(policy, { upstream: plans([step("s1", tool, args)]) });
  const plan = await make(gate);
  const { events } = await run(gate, plan);
  const asked = events.find(({ approval }) => approval)?.approval?.id;
  await approveCall(gate, String(asked), { action: isYes ? "approve" : "deny" });
  await run(gate, plan);
  return gate;
};

const ways: Record<string, Way> = {
  "chat completions, in words": inWords("chat completions, stream"),
  "responses, in words": inWords("responses, JSON"),
  "UI message stream, in words": inWords("UI message stream"),
  "in process, in words": inWords("in process, whole"),
  "chat completions, as data": asData("chat completions, JSON"),
  "responses, as data": asData("responses, stream"),
  "UI message stream, as data": asData("UI message stream"),
  "MCP, by a form": byForm,
  "MCP, by a page": byPage,
  "MCP, by another try": byAnotherTry,
  "MCP, from elsewhere": fromElsewhere,
  "a step of a plan": asStepOfAPlan,
};

describe.each(Object.entries(askings))("%s", (_name, asking) => {
  it.each([
    ["a yes", true, ["confirm", "allow"], ["succeeded"]],
    ["a no", false, ["confirm", "deny"], []],
  ] as const)("%s does the same by every way", async (_answer, isYes, effects, outcomes) => {
    for (const [on, way] of Object.entries(ways)) {
      const { decisions, runs, approvals } = await traces(await way(asking, isYes));
      const told = {
        on,
        decisions: decisions.map(({ tool, effect }) => [tool, effect]),
        approvals: approvals.map(({ event }) => event),
        runs: runs.map(({ status }) => status),
      };
      expect(told).toEqual({
        on,
        decisions: effects.map((effect) => [asking.tool, effect]),
        approvals: ["asked", isYes ? "approved" : "denied"],
        runs: outcomes,
      });
    }
  });
});
