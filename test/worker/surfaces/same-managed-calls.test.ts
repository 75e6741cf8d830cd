/**
 * Calls of tools that the gateway runs itself: what an MCP client calls, what a model calls and what a plan holds is decided alike, runs
 * alike and leaves the same rows. MCP has no conversation, so situations that depend on the user's words are those of `same-decisions`.
 */
import { describe, expect, it } from "vitest";
import { mcpClient } from "../mcp/mcp-client.ts";
import { make, plans, run, step } from "../plans/planning.ts";
import { type Gateway, gateway } from "../support/gateway.ts";
import { call, says, selects } from "../support/script.ts";
import { rowsOf } from "./kept-rows.ts";
import { ask, surfaces } from "./surfaces.ts";

const text = { type: "string" };
const object = (properties: Record<string, unknown>, required: readonly string[] = []) => ({
  type: "object",
  properties,
  required,
});
const http = (url: string, method = "GET") => ({ kind: "http", method, url, retries: 0 });
const tools = {
  find_lead: {
    category: "read_only",
    trusted: true,
    description: "Find a lead",
    parameters: object({ name: text }, ["name"]),
    run: http("https://crm.test/leads"),
  },
  create_lead: {
    category: "modification",
    description: "Create a lead",
    parameters: object({ name: text }, ["name"]),
    run: http("https://crm.test/leads", "POST"),
  },
  send_out: {
    category: "external",
    description: "Send it out",
    destination: "the press",
    parameters: object({ name: text }),
    run: http("https://press.test/", "POST"),
  },
  purge: { category: "read_only", roles: ["admin"], parameters: object({}), run: http("https://crm.test/purge") },
};
const off = { handshake: { select: "off" }, roles: ["user", "admin"], tools };

interface Situation {
  readonly policy?: Record<string, unknown>;
  /** Name and arguments of the calls, one after the other. */
  readonly calls: readonly (readonly [string, unknown])[];
  readonly select?: string;
  readonly status?: number;
  /** Of the calls' last decisions. */
  readonly effects: readonly string[];
  /** A plan of it is not valid: none of its steps is begun. */
  readonly unplanned?: true;
}

const lead = (name: unknown = "Ada"): readonly [string, unknown] => ["find_lead", { name }];

const situations: Record<string, Situation> = {
  "a call that runs": { calls: [lead()], effects: ["allow"] },
  "a call that fails": { calls: [lead()], status: 500, effects: ["allow"] },
  "a question": { calls: [["create_lead", { name: "Ada" }]], effects: ["confirm"] },
  "a first use": { calls: [["send_out", { name: "Ada" }]], effects: ["confirm"] },
  "a tool of another role": { calls: [["purge", {}]], effects: ["deny"], unplanned: true },
  "a tool that nobody has": { calls: [["nothing", {}]], effects: ["deny"], unplanned: true },
  "a name that is a member of every object": { calls: [["constructor", {}]], effects: ["deny"], unplanned: true },
  "arguments that are not in the schema": { calls: [lead(5)], effects: ["deny"], unplanned: true },
  "arguments that hold an injection": {
    policy: { ...off, injection: { sets: ["sql"], action: "deny" } },
    calls: [lead("x'; DROP TABLE leads; --")],
    effects: ["deny"],
  },
  "arguments that a condition denies": {
    policy: {
      ...off,
      tools: {
        ...tools,
        find_lead: {
          ...tools.find_lead,
          conditions: [
            { if: { properties: { name: { const: "Eve" } }, required: ["name"] }, effect: "deny", say: "no" },
          ],
        },
      },
    },
    calls: [lead("Eve")],
    effects: ["deny"],
  },
  "a mode that forbids it": {
    policy: { ...off, modes: { default: { allow: ["create_lead"] } } },
    calls: [lead()],
    effects: ["deny"],
    unplanned: true,
  },
  "a tool that runs only after another": {
    policy: { ...off, tools: { ...tools, find_lead: { ...tools.find_lead, after: ["create_lead"] } } },
    calls: [lead()],
    effects: ["deny"],
  },
  "a missing connection": {
    policy: { ...off, tools: { ...tools, find_lead: { ...tools.find_lead, connection: "crm" } } },
    calls: [lead()],
    effects: ["deny"],
    unplanned: true,
  },
  "a state that forbids it": {
    policy: {
      ...off,
      handshake: { select: "model" },
      intents: { READ: { description: "read", tools: ["find_lead"] } },
    },
    calls: [["create_lead", { name: "Ada" }]],
    effects: ["deny"],
    unplanned: true,
  },
  "an intent that forbids it": {
    policy: {
      ...off,
      handshake: { select: "model" },
      intents: { READ: { description: "read", tools: ["find_lead"] } },
    },
    select: "READ",
    calls: [["create_lead", { name: "Ada" }]],
    effects: ["deny"],
  },
  "an intent that allows it": {
    policy: {
      ...off,
      handshake: { select: "model" },
      intents: { READ: { description: "read", tools: ["find_lead"] } },
    },
    select: "READ",
    calls: [lead()],
    effects: ["allow"],
  },
  "a limit": {
    policy: {
      ...off,
      tools: { ...tools, find_lead: { ...tools.find_lead, rateLimits: [{ max: 1, window: "1h" }] } },
    },
    calls: [lead(), lead("Bob")],
    effects: ["allow", "deny"],
  },
  "a policy that only observes": {
    policy: { ...off, enforce: "observe" },
    calls: [["purge", {}]],
    effects: ["deny"],
    unplanned: true,
  },
};

const open = (
  { policy = off, status = 200 }: Situation,
  upstream: Parameters<typeof gateway>[0] = {},
): Promise<Gateway> => gateway({ policy, elsewhere: () => Response.json({ id: 7 }, { status }), ...upstream });

const timeless = ({ retry_after_ms: _, ...reason }: Record<string, unknown>) => reason;

/** The rows that the calls left, without what only a chat has: the ids of a model's calls, and its steps. */
async function traces(gate: Gateway) {
  const { decisions, runs, approvals } = await rowsOf(gate);
  return {
    decisions: decisions
      .filter(({ tool }) => tool !== "select_intent")
      .map(({ tool, effect, reasons }) => ({
        tool,
        effect,
        reasons: (reasons as Record<string, unknown>[]).map(timeless),
      })),
    approvals: approvals.map(({ tool, status }) => ({ tool, status })),
    runs,
  };
}

async function byMcp(situation: Situation) {
  const gate = await open(situation);
  const client = mcpClient(gate);
  await client.open();
  if (situation.select !== undefined) await client.call("select_intent", { intent: situation.select });
  for (const [name, args] of situation.calls) await client.call(name, args as object);
  return traces(gate);
}

async function byChat(situation: Situation, name: string) {
  const surface = surfaces.find((one) => one.name === name);
  if (!surface) throw new Error("no such surface");
  const steps = situation.calls.map(([tool, args], at) => says({ calls: [call(`c${at}`, tool, args)] }));
  const selecting = situation.select === undefined ? [] : [says({ calls: [selects(situation.select)] })];
  const gate = await open(situation, { upstream: [...selecting, ...steps, says({ text: "Done." })] });
  await ask(surface, gate, { text: "please do it", tools: [] });
  return traces(gate);
}

/** As steps of one plan, which a person need not approve. */
async function byPlan(situation: Situation) {
  const steps = situation.calls.map(([tool, args], at) => step(`s${at}`, tool, args as object));
  const gate = await open(situation, { upstream: plans(steps) });
  await run(gate, await make(gate));
  return traces(gate);
}

const NOTHING = { decisions: [], approvals: [], runs: [] };

describe.each(Object.entries(situations))("%s", (_name, situation) => {
  it("is decided, run and kept over MCP, and as steps of a plan, as on chats", async () => {
    const mcp = await byMcp(situation);
    expect(mcp.decisions.map(({ effect }) => effect)).toEqual(situation.effects);
    for (const name of ["chat completions, stream", "responses, JSON", "UI message stream", "in process, whole"])
      expect({ on: name, ...(await byChat(situation, name)) }).toEqual({ on: name, ...mcp });
    // A plan selects no intent.
    if (situation.select !== undefined) return;
    expect({ on: "plans", ...(await byPlan(situation)) }).toEqual({
      on: "plans",
      ...(situation.unplanned ? NOTHING : mcp),
    });
  });
});
