/** A tool that Toolgate itself brings. */
import type { Principal } from "../../session/principal.ts";
import type { BuiltinOutcome } from "./outcome.ts";

export interface BuiltinCall {
  /** Of the decision: a call with the same one does nothing twice. */
  readonly id: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly principal: Pick<Principal, "tenant" | "user">;
}

export interface BuiltinTool {
  /** For the model, where the policy has no words of its own. */
  readonly description: string;
  /** JSON Schema, where the policy gives none. */
  readonly parameters: Readonly<Record<string, unknown>>;
  run(call: BuiltinCall): Promise<BuiltinOutcome>;
}

/** An object schema that takes nothing else. */
export const objectSchema = (
  properties: Readonly<Record<string, unknown>>,
  ...required: readonly string[]
): Readonly<Record<string, unknown>> => ({ type: "object", properties, required, additionalProperties: false });
