/** What a call says with authority: the values of its arguments with their roles, and where it sends what it does. Pure. */
import { sha256Hex } from "../../lib/digest.ts";
import { hostOf } from "../../lib/host.ts";
import { pointerKeys } from "../../lib/json/json-value.ts";
import type { WorkBudget } from "../../lib/work-budget.ts";
import type { ToolTraits } from "../traits.ts";
import { type CallValue, callValues, rolesOf } from "./argument-roles.ts";
import { type Authority, authorityOf, hasAuthority } from "./authority.ts";
import { accountForm, addressOfMailbox, canonicalToken, folded } from "./canonical.ts";
import type { Destinations } from "./destinations.ts";
import { toolEffects } from "./tool-verbs.ts";

export interface CalledTool {
  readonly traits: ToolTraits;
  /** The client's; the policy's own description and parameters come first. */
  readonly definition?: { readonly description?: string | undefined; readonly parameters?: unknown } | undefined;
}

export interface CallAuthority {
  readonly authority: Authority;
  readonly values: readonly CallValue[];
}

/** Throws `WorkSpent`. */
export function callAuthority({ traits, definition }: CalledTool, args: unknown, work: WorkBudget): CallAuthority {
  const description = traits.description ?? definition?.description;
  const parameters = traits.parameters ?? definition?.parameters;
  const roles = rolesOf({ name: traits.name, description, parameters }, traits.arguments, work);
  const authority = authorityOf({ ...traits, effects: toolEffects(traits.name, description) });
  return { authority, values: callValues(roles, args, work) };
}

/**
 * What a person allows for later calls holds for these alone. Of a URL it is the host; the order of a list does not matter.
 * Throws `WorkSpent`.
 */
export function destinationsOf(tool: CalledTool, args: unknown, work: WorkBudget): Destinations {
  const { authority, values } = callAuthority(tool, args, work);
  const found = new Map<string, string[]>();
  for (const one of values) {
    if (one.role.role !== "destination" || !hasAuthority(authority, one)) continue;
    const [name = ""] = pointerKeys(one.pointer);
    found.set(name, [...(found.get(name) ?? []), destinationForm(String(one.value))]);
  }
  const names = [...found.keys()].sort();
  return Object.fromEntries(names.map((name) => [name, digestOf(found.get(name) ?? [])]));
}

const digestOf = (forms: readonly string[]): string => sha256Hex(JSON.stringify([...new Set(forms)].sort()));

function destinationForm(value: string): string {
  const text = addressOfMailbox(value) ?? value.trim();
  return hostOf(text) ?? accountForm(text) ?? canonicalToken(folded(text));
}
