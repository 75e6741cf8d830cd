/** The fields of a call that a person may change, by the names that the question shows. Pure. */
import { followReference, memberSchemas } from "../../lib/json/json-schema.ts";
import { membersIn, wrapperOf } from "../disclosure/members.ts";

type Arguments = Readonly<Record<string, unknown>>;

interface EditableCall {
  readonly tool: string;
  readonly arguments: unknown;
  /** The schema of the arguments; null if there is none. */
  readonly schema: unknown;
}

/** The fields that the schema names, each with its own schema. */
export function fieldSchemas({ tool, arguments: args, schema }: EditableCall): Map<string, unknown> {
  const wrapper = wrapperOf(tool, args);
  const own = wrapper === undefined ? schema : followReference(schema, memberSchemas(schema, schema).get(wrapper));
  return new Map([...memberSchemas(schema, own)].map(([name, part]) => [name, followReference(schema, part)]));
}

/** Translates changes of fields into changes of the call's arguments. A change that names the wrapping object replaces it as a whole. */
export function changedArguments({ tool, arguments: args }: Omit<EditableCall, "schema">, set: Arguments): Arguments {
  const wrapper = wrapperOf(tool, args);
  if (wrapper === undefined || Object.hasOwn(set, wrapper)) return set;
  return { [wrapper]: { ...membersIn(args, wrapper), ...set } };
}

/** A field that is named together with the wrapping object: it would stand outside of it, where the tool does not look. */
export function misplacedField(
  { tool, arguments: args }: Omit<EditableCall, "schema">,
  set: Arguments,
): string | undefined {
  const wrapper = wrapperOf(tool, args);
  if (wrapper === undefined || !Object.hasOwn(set, wrapper)) return undefined;
  return Object.keys(set).find((name) => name !== wrapper);
}
