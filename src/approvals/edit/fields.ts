/** The fields of a call that a person may change, by the names under which they are shown. Pure. */
import { followReference, memberSchemas } from "../../lib/json/json-schema.ts";
import { membersIn, wrapperOf } from "../disclosure/members.ts";

type Arguments = Readonly<Record<string, unknown>>;

interface EditableCall {
  readonly tool: string;
  readonly arguments: unknown;
  /** Of the arguments; null where there is none. */
  readonly schema: unknown;
}

/** Those that the schema names, each with its own. */
export function fieldSchemas({ tool, arguments: args, schema }: EditableCall): Map<string, unknown> {
  const wrapper = wrapperOf(tool, args);
  const own = wrapper === undefined ? schema : followReference(schema, memberSchemas(schema, schema).get(wrapper));
  return new Map([...memberSchemas(schema, own)].map(([name, part]) => [name, followReference(schema, part)]));
}

/** Changes of fields as changes of the call's own arguments. Who names the object that holds them gives it whole. */
export function changedArguments({ tool, arguments: args }: Omit<EditableCall, "schema">, set: Arguments): Arguments {
  const wrapper = wrapperOf(tool, args);
  if (wrapper === undefined || Object.hasOwn(set, wrapper)) return set;
  return { [wrapper]: { ...membersIn(args, wrapper), ...set } };
}
