/** The authority of a call: the values of its arguments with their roles, and its destinations. Pure. */
import { sha256Hex } from "../../lib/digest.ts";
import { hostOf } from "../../lib/host.ts";
import { pointerKeys, valueAt } from "../../lib/json/json-value.ts";
import { redactArguments, redacted } from "../../lib/redact.ts";
import { plainLine } from "../../lib/text/visible-text.ts";
import type { WorkBudget } from "../../lib/work-budget.ts";
import type { ToolTraits } from "../traits.ts";
import { type Authority, authorityOf, hasAuthority } from "./authority.ts";
import type { BoundDestinations } from "./origin-types.ts";
import { type CallValue, callValues, rolesOf } from "./roles/argument-roles.ts";
import { toolEffects } from "./roles/tool-verbs.ts";
import { accountForm, addressOfMailbox, canonicalToken, folded } from "./spelling/canonical.ts";

interface CalledTool {
  readonly traits: ToolTraits;
  /** The client's; the policy's own description and parameters come first. */
  readonly definition?: { readonly description?: string | undefined; readonly parameters?: unknown } | undefined;
}

interface CallAuthority {
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
 * The destinations for which a user's permission for later calls is valid. A URL counts as its host; the order of a list does not matter. More
 * than 200 arguments have one digest, under `*`.
 * Throws `WorkSpent`.
 */
export function destinationsOf(tool: CalledTool, args: Arguments, work: WorkBudget): BoundDestinations {
  const { authority, values } = callAuthority(tool, args, work);
  const visible = redactArguments(args, tool.traits.redact);
  const found = new Map<string, Found>();
  for (const one of values) {
    if (one.role.role !== "destination" || !hasAuthority(authority, one)) continue;
    const keys = pointerKeys(one.pointer);
    const [name = ""] = keys;
    const { forms = [], shown = [] } = found.get(name) ?? {};
    forms.push(destinationForm(String(one.value)));
    if (found.size <= MAX_NAMED)
      shown.push(valueAt(visible, keys) === one.value ? shownDestination(String(one.value)) : redacted);
    found.set(name, { forms, shown });
  }
  if (found.size === 0) return {};
  const entries = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length > MAX_NAMED) return allAsOne(entries);
  return {
    destinations: Object.fromEntries(entries.map(([name, { forms }]) => [name, digestOf(forms)])),
    goesTo: Object.fromEntries(entries.map(([name, { shown }]) => [name, [...new Set(shown)].slice(0, MAX_SHOWN)])),
  };
}

/** An honest call has fewer arguments that say where it goes, and that many digests would take 15 ms. */
const MAX_NAMED = 200;

function allAsOne(entries: readonly (readonly [name: string, Found])[]): BoundDestinations {
  const forms = entries.flatMap(([name, { forms }]) => forms.map((form) => JSON.stringify([name, form])));
  const shown = entries.flatMap((entry) => entry[1].shown);
  return { destinations: { "*": digestOf(forms) }, goesTo: { "*": [...new Set(shown)].slice(0, MAX_SHOWN) } };
}

interface Found {
  readonly forms: string[];
  readonly shown: string[];
}

type Arguments = Readonly<Record<string, unknown>>;

/** Values of one argument in a list of what is allowed; a user recognises it by the first. */
const MAX_SHOWN = 20;
const MAX_SHOWN_VALUE = 200;

const shownDestination = (value: string): string =>
  plainLine(hostOf(addressOfMailbox(value) ?? value.trim()) ?? value, MAX_SHOWN_VALUE);

const digestOf = (forms: readonly string[]): string => sha256Hex(JSON.stringify([...new Set(forms)].sort()));

function destinationForm(value: string): string {
  const text = addressOfMailbox(value) ?? value.trim();
  return hostOf(text) ?? accountForm(text) ?? canonicalToken(folded(text));
}
