/** The study agent whose tools the gateway runs is the one whose tools the client runs: they may differ in who runs them alone. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

interface Tool {
  readonly description: string;
  readonly parameters: unknown;
  readonly run?: { readonly url: string; readonly system: unknown; readonly allowHosts: readonly string[] };
}

interface Policy {
  readonly tools: Readonly<Record<string, Tool>>;
  readonly intents: Readonly<Record<string, { readonly execution?: unknown }>>;
  readonly [setting: string]: unknown;
}

const read = (name: string): Policy =>
  JSON.parse(readFileSync(join(import.meta.dirname, "../../../policies", name), "utf8")) as Policy;

const client = read("study-agent.json");
const clientTools = read("study-agent.cases.json").tools;
const managed = read("study-agent-managed.json");

it("has the same roles, limits, intents, entities and redactions", () => {
  const { name: _, execution: __, tools, intents, ...shared } = managed;
  const { name: ___, execution: ____, tools: brought, intents: wanted, ...expected } = client;
  expect(shared).toEqual(expected);
  const withoutExecution = Object.entries(intents).map(([name, { execution: _, ...intent }]) => [name, intent]);
  expect(withoutExecution).toEqual(Object.entries(wanted));
  // What the policy leaves to the client there, the client's own definition says.
  const defined = Object.entries(brought).map(([name, tool]) => [name, { ...clientTools[name], ...tool }]);
  expect(Object.entries(tools).map(([name, { run: _, ...tool }]) => [name, tool])).toEqual(defined);
});

it("runs every tool for the user that the gateway knows, at one host", () => {
  for (const { run } of Object.values(managed.tools)) {
    expect(run).toMatchObject({ system: { user_id: "user.id" }, allowHosts: ["study.example.com"] });
    expect(new URL(run?.url ?? "").host).toBe("study.example.com");
  }
});
