/** The arguments of a managed tool that the gateway sets instead of the model. Pure. */
import { isObject } from "../../lib/json/json-value.ts";
import type { ToolSettings } from "../document/document-parts.ts";
import type { systemValues } from "../document/run-parts.ts";

export type SystemValue = (typeof systemValues)[number];

const NONE: Readonly<Record<string, SystemValue>> = {};

/** By argument name. Built-in tools have none: they know their user. */
export function systemOf(settings: ToolSettings | undefined): Readonly<Record<string, SystemValue>> {
  const run = settings?.run;
  return run === undefined || run.kind === "builtin" ? NONE : run.system;
}

type Schema = Readonly<Record<string, unknown>>;

/** The schema as the model gets it: without the members that the gateway sets. */
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

/** A call's arguments without those that the gateway sets: the model's values for these are ignored. */
export function withoutSystem<T extends Schema>(settings: ToolSettings | undefined, args: T): T {
  const names = Object.keys(systemOf(settings)).filter((name) => Object.hasOwn(args, name));
  if (names.length === 0) return args;
  return Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name))) as T;
}
