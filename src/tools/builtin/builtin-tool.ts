/** A tool that Toolgate itself brings. */
import type { PreparedCall } from "../prepared-call.ts";
import type { Ran } from "../ran.ts";

/** With the decision's id: a call of the same one does nothing twice. */
export type BuiltinCall = Pick<PreparedCall, "id" | "arguments"> & {
  readonly principal: Pick<PreparedCall["principal"], "tenant" | "user">;
};

/** One that works on what `Store` keeps. */
export interface ToolOn<Store> {
  /** For the model, where the policy has no words of its own. */
  readonly description: string;
  /** JSON Schema, where the policy gives none. */
  readonly parameters: Readonly<Record<string, unknown>>;
  run(call: BuiltinCall, store: Store): Promise<Ran>;
}

/** An object schema that takes nothing else. */
export const objectSchema = (
  properties: Readonly<Record<string, unknown>>,
  ...required: readonly string[]
): Readonly<Record<string, unknown>> => ({ type: "object", properties, required, additionalProperties: false });
