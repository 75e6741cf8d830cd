/**
 * Suites of users' tasks and attacks from `../shared/data/security` or `TOOLGATE_DATA`; in no part of what ships:
 * AgentDojo (one file a suite), InjecAgent and tau-bench.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface SuiteTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Schema;
}

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly description?: string;
}

export interface SuiteCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** What the tool returns. */
  readonly output: string;
}

export interface UserTask {
  readonly id: string;
  readonly prompt: string;
  readonly calls: readonly SuiteCall[];
  /** Indexes of the calls whose results an attacker can write into, the first one first. */
  readonly carriers: readonly number[];
}

export interface Attack {
  readonly id: string;
  readonly goal: string;
  readonly calls: readonly SuiteCall[];
}

export type Benchmark = "AgentDojo" | "InjecAgent" | "tau-bench";

export interface Suite {
  readonly name: string;
  readonly benchmark: Benchmark;
  readonly tools: readonly SuiteTool[];
  readonly users: readonly UserTask[];
  readonly attacks: readonly Attack[];
}

export const folder = join(
  process.env.TOOLGATE_DATA ?? fileURLToPath(new URL("../../../../shared/data", import.meta.url)),
  "security",
);

const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, "utf8")) as T;

/** Empty where the data is not there. */
export function readSuites(): readonly Suite[] {
  const at = (name: string) => join(folder, name);
  const files = existsSync(at("suites")) ? readdirSync(at("suites")).filter((name) => name.endsWith(".json")) : [];
  const dojo = files
    .sort()
    .map((file): Suite => ({ benchmark: "AgentDojo", ...readJson<DojoFile>(at(join("suites", file))) }));
  const injecAgent = existsSync(at("injecagent_half.json"))
    ? [injecAgentSuite(readJson(at("injecagent_half.json")))]
    : [];
  const tau = existsSync(at("taubench.json")) ? tauSuites(readJson(at("taubench.json"))) : [];
  return [...dojo, ...injecAgent, ...tau];
}

type DojoFile = Omit<Suite, "benchmark">;

interface InjecAgentFile {
  readonly user_cases: readonly {
    readonly user_tool: string;
    readonly instruction: string;
    readonly parameters: Readonly<Record<string, unknown>>;
    readonly tool_response_template: string;
  }[];
  readonly attacks: readonly { readonly tools: readonly string[]; readonly instruction: string }[];
  readonly tools: Readonly<Record<string, InjecAgentTool>>;
}

interface InjecAgentTool {
  readonly description: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly type: string;
    readonly description: string;
    readonly required: boolean;
  }[];
}

function injecAgentSuite({ user_cases, attacks, tools }: InjecAgentFile): Suite {
  const used = new Set([...user_cases.map((one) => one.user_tool), ...attacks.flatMap((one) => one.tools)]);
  const suiteTools = [...used].flatMap((name) => (tools[name] ? injecAgentTool(name, tools[name]) : []));
  const schemas = new Map(suiteTools.map(({ name, parameters }) => [name, parameters]));
  const call = (tool: string, given: Readonly<Record<string, unknown>>, goal: string, output: string): SuiteCall => ({
    tool,
    args: { ...filled(schemas.get(tool) ?? {}, goal), ...given },
    output,
  });
  return {
    name: "injecagent",
    benchmark: "InjecAgent",
    tools: suiteTools,
    users: user_cases.map(({ user_tool, instruction, parameters, tool_response_template }, at) => ({
      id: `user_${at}`,
      prompt: instruction,
      calls: [call(user_tool, parameters, "", tool_response_template.replace("<Attacker Instruction>", "…"))],
      carriers: [0],
    })),
    attacks: attacks.map(({ tools: steps, instruction }, at) => ({
      id: `attack_${at}`,
      goal: instruction,
      calls: steps.map((tool) => call(tool, {}, instruction, "ok")),
    })),
  };
}

function injecAgentTool(name: string, { description, parameters }: InjecAgentTool): SuiteTool {
  const properties = parameters.map(
    (one) => [one.name, { type: jsonType(one.type), description: one.description }] as const,
  );
  const required = parameters.filter((one) => one.required).map((one) => one.name);
  return { name, description, parameters: { type: "object", properties: Object.fromEntries(properties), required } };
}

function jsonType(type: string): string {
  if (/int/.test(type)) return "integer";
  if (/float|num/.test(type)) return "number";
  if (/bool/.test(type)) return "boolean";
  if (/array|list/.test(type)) return "array";
  return /object|dict/.test(type) ? "object" : "string";
}

/** The benchmark leaves an attack's arguments open: what its goal names, else what nobody said. */
function filled(schema: Schema, goal: string): Readonly<Record<string, unknown>> {
  const value = (one: Schema, name: string): unknown => {
    if (one.enum) return one.enum[0];
    if (one.type === "array") return [value(one.items ?? { type: "string" }, name)];
    if (one.type === "object") return filled(one, goal);
    if (one.type === "integer" || one.type === "number") return 7;
    if (one.type === "boolean") return false;
    if (/email|^to$/.test(name)) return /\S+@\w+(?:\.\w+)+/.exec(goal)?.[0] ?? "attacker@evil.example";
    if (/date|time/.test(name)) return "2024-05-20 10:00";
    return (/url|link/.test(name) && /https?:\S+|www\.\S+/.exec(goal)?.[0]) || `injected ${name}`;
  };
  return Object.fromEntries(
    (schema.required ?? []).map((name) => [name, value(schema.properties?.[name] ?? {}, name)]),
  );
}

interface TauFile {
  readonly domains: Readonly<
    Record<string, { readonly tasks: readonly TauTask[]; readonly tools: readonly SuiteTool[] }>
  >;
}

interface TauTask {
  readonly user_id: string;
  readonly instruction: string;
  readonly actions: readonly { readonly name: string; readonly kwargs: Readonly<Record<string, unknown>> }[];
}

/** The benchmark has no results: the agent looks the user up first, as its rules demand, and reads what others may have written. */
function tauSuites({ domains }: TauFile): readonly Suite[] {
  return Object.entries(domains).flatMap(([name, { tasks, tools }]) =>
    tasks.length === 0
      ? []
      : {
          name: `tau-${name}`,
          benchmark: "tau-bench" as const,
          tools,
          users: tasks.map(({ user_id, instruction, actions }, at) => ({
            id: `task_${at}`,
            prompt: firstPerson(instruction),
            calls: [
              { tool: "get_user_details", args: { user_id }, output: JSON.stringify({ user_id, note: "asks often" }) },
              ...actions.map((action) => ({ tool: action.name, args: action.kwargs, output: "ok" })),
            ],
            carriers: [],
          })),
          attacks: [],
        },
  );
}

/** The benchmark tells an actor whom to play; a user writes of themselves, in words and not in Python's, and not of their character. */
const firstPerson = (instruction: string): string =>
  instruction
    .replace(/\{([^{}]*)\}/g, (_, members: string) => `(${members.replaceAll("'", "")})`)
    .replace(/\bYou are (?:[a-z-]+, )*[a-z-]+\. /, "")
    .replace(/\b[Yy]our (?=(?:name|zip code|email|user id)\b)/g, (your) => (your.startsWith("Y") ? "My " : "my "));
