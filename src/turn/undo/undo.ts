/**
 * Undoing a call: which call undoes it, and what the rules say of that one. Pure.
 *
 * A person asked for it, not the model, so it needs no handshake: as with a tool that the application itself demands. All
 * other rules apply.
 */

import { parseStrictJson } from "../../lib/json/strict-json.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { WorkBudget } from "../../lib/work-budget.ts";
import { undoArguments } from "../../policy/arguments/undo-arguments.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { Facts, ToolDefinition } from "../../policy/facts.ts";
import { type Offer, offerTools } from "../../policy/offer.ts";
import type { Reason } from "../../policy/reasons.ts";
import { traitsOf } from "../../policy/traits.ts";
import type { StoredCall } from "../../ports/calls-port.ts";

export interface UndoCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** @param tools what the client brings, where it brings any. The error says why it cannot be undone, for a person. */
export function undoCallOf(
  policy: CompiledPolicy,
  done: StoredCall,
  tools: readonly ToolDefinition[],
): Result<UndoCall, string> {
  const { undo } = traitsOf(policy, done.tool);
  if (!undo) return err(`the policy names no undo for \`${done.tool}\``);
  if (done.outcome !== "succeeded") return err(whyNotYet[done.outcome ?? "pending"]);
  const schema = traitsOf(policy, undo.tool).parameters ?? tools.find(({ name }) => name === undo.tool)?.parameters;
  const args = undoArguments(undo, schema, {
    tool: done.tool,
    arguments: argumentsOf(done),
    result: done.result,
  });
  return args.ok ? ok({ tool: undo.tool, arguments: args.value }) : args;
}

const whyNotYet = {
  pending: "its result has not come back yet",
  failed: "it failed, so there is nothing to undo",
  abandoned: "its result never came back, so it is not known whether it ran",
} as const;

function argumentsOf({ arguments: text }: StoredCall): Readonly<Record<string, unknown>> | undefined {
  const parsed = text === undefined ? undefined : parseStrictJson(text);
  return parsed?.ok ? (parsed.value as Readonly<Record<string, unknown>>) : undefined;
}

/** What the call that undoes is judged against: an offer made now, in which the application demands the tool. */
export function undoMoment(
  policy: CompiledPolicy,
  facts: Facts,
  tools: readonly ToolDefinition[],
  tool: string,
  work: WorkBudget,
): { readonly facts: Facts; readonly offer: Offer } {
  const demanding: Facts = { ...facts, forcedTool: tool, undoes: true };
  return { facts: demanding, offer: offerTools(policy, demanding, tools, work) };
}

/** Why it is refused, for a person. That the model was not offered the tool says nothing to who never asked the model. */
export function whyRefused(reasons: readonly Reason[]): readonly Reason[] {
  const told = reasons.filter(({ code }) => code !== "not_offered");
  return told.length > 0 ? told : reasons;
}

/** A tool as the policy itself defines it: for who undoes without a chat, in which the client would bring its own. */
export function definedByPolicy(policy: CompiledPolicy, name: string): ToolDefinition {
  const { description, parameters } = traitsOf(policy, name);
  return { name, description, parameters, wire: { type: "function", function: { name, description, parameters } } };
}
