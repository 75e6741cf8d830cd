/** What the gateway fills in over whatever the model sent. Source: reference/intent-detection-and-safe-tools.md. Pure. */
import type { CompiledPolicy } from "../policy/compile.ts";
import type { systemValues } from "../policy/run-parts.ts";
import type { SystemFacts } from "./tool-runner.ts";

export type SystemValue = (typeof systemValues)[number];

/** By argument name; builtin tools have none: they know whose they are. */
export function systemOf({ tools }: CompiledPolicy, tool: string): Readonly<Record<string, SystemValue>> {
  const run = tools.get(tool)?.run;
  return run === undefined || run.kind === "builtin" ? {} : run.system;
}

/** In place of a token, wherever it is told. */
export const HIDDEN_TOKEN = "[connection token]";

/** @param token undefined: as it is told in records. */
export function systemArgumentsOf(
  system: Readonly<Record<string, SystemValue>>,
  facts: SystemFacts,
  token: string = HIDDEN_TOKEN,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(system).map(([name, value]) => [name, filledIn(value, facts, token)]));
}

function filledIn(value: SystemValue, { principal, session }: SystemFacts, token: string): string {
  switch (value) {
    case "user.id":
      return principal.user;
    case "user.tenant":
      return principal.tenant;
    case "user.role":
      return principal.role;
    case "session.id":
      return session;
    case "connection.token":
      return token;
  }
}

type Schema = Readonly<Record<string, unknown>>;

/** The schema as the model is shown it: without the members that the system fills in. */
export function withoutMembers(schema: Schema, names: readonly string[]): Schema {
  if (names.length === 0) return schema;
  const { properties, required } = schema;
  const hidden = new Set(names);
  return {
    ...schema,
    ...(isObject(properties)
      ? { properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !hidden.has(name))) }
      : {}),
    ...(Array.isArray(required) ? { required: required.filter((name: unknown) => !hidden.has(String(name))) } : {}),
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
