/**
 * Calls of tools that the gateway runs itself: what an MCP client calls, what a model calls and what a plan holds is decided alike, runs
 * alike and leaves the same rows. MCP has no conversation, so situations that depend on the user's words are those of `same-decisions`.
 */
import { describe, expect, it } from "vitest";
import { mcpClient } from "../mcp/mcp-client.ts";
import { make, plans, run, step } from "../plans/planning.ts";
import { call, says, selects } from "../support/script.ts";
import { ADA, EVE, NEXT, off, open, tools, traces } from "./managed-situations.ts";
import { ask, surfaces } from "./surfaces.ts";

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
  /** A plan is made before anything is read: of the last step's arguments, what stands for what an earlier one brought. */
  readonly planned?: object;
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
  "an address that a trusted tool brought, after a page": {
    calls: [lead(), ["read_page", {}], ["send_mail", { to: ADA }]],
    effects: ["allow", "allow", "allow"],
    planned: { to: "{{s0.result.email}}" },
  },
  "an address that a page brought": {
    calls: [
      ["read_page", {}],
      ["send_mail", { to: EVE }],
    ],
    effects: ["allow", "confirm"],
    planned: { to: "{{s0.result.mail}}" },
  },
  "an address that a page wants to be read": {
    calls: [
      ["read_page", {}],
      ["open_url", { url: NEXT }],
    ],
    effects: ["allow", "confirm"],
    planned: { url: "{{s0.result.next}}" },
  },
  "a policy that only observes": {
    policy: { ...off, enforce: "observe" },
    calls: [["purge", {}]],
    effects: ["deny"],
    unplanned: true,
  },
};

async function byMcp(situation: Situation) {
  const gate = await open(situation.policy ?? off, situation);
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
  const upstream = [...selecting, ...steps, says({ text: "Done." })];
  const gate = await open(situation.policy ?? off, { ...situation, upstream });
  await ask(surface, gate, { text: "please do it", tools: [] });
  return traces(gate);
}

/** As steps of one plan, which a person need not approve. */
async function byPlan(situation: Situation) {
  const { calls, planned } = situation;
  const argumentsOf = (args: unknown, at: number) => (planned && at === calls.length - 1 ? planned : (args as object));
  const steps = calls.map(([tool, args], at) => step(`s${at}`, tool, argumentsOf(args, at)));
  const gate = await open(situation.policy ?? off, { ...situation, upstream: plans(steps) });
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
