/**
 * The arguments of a call as a person reads and edits them. Many tools take all of theirs in one object, `{ "input": { "to": … } }`, whose
 * name says nothing: its members are shown as if they stood at the top. The call and its digest stay as they are. Pure.
 */
import { snakeCase } from "../../lib/acts/tool-verb.ts";
import { isObject } from "../../lib/json/json-value.ts";
import { nounOf } from "./title-object.ts";

type Arguments = Readonly<Record<string, unknown>>;

/** Of any other name the reader must know it: `{ "except": { "path": … } }`. */
const SAYS_NOTHING =
  /^(?:inputs?|args?|arguments|kwargs|params?|parameters|payload|data|body|req|request|options|json|values|fields)$/;

/** The one argument that holds all others, where its name says nothing, or no more than the tool's does: `create_event(event)`. */
export function wrapperOf(tool: string, args: unknown): string | undefined {
  const [name, ...others] = Object.keys(isObject(args) ? args : {});
  if (name === undefined || others.length > 0 || Object.keys(membersIn(args, name)).length === 0) return undefined;
  const key = snakeCase(name.slice(0, 80));
  return SAYS_NOTHING.test(key) || nounOf(tool).split(" ").includes(key) ? name : undefined;
}

/** Empty where there are none. */
export function membersIn(args: unknown, wrapper: string | undefined): Arguments {
  if (!isObject(args)) return {};
  const inner = wrapper === undefined ? args : Object.hasOwn(args, wrapper) ? args[wrapper] : undefined;
  return isObject(inner) ? inner : {};
}

export const membersOf = (tool: string, args: unknown): Arguments => membersIn(args, wrapperOf(tool, args));
