/** Looks for injection patterns in arguments: every string at any depth, keys too. Pure. */

import { toPointer } from "../../lib/json/json-value.ts";
import { normalForm } from "../../lib/text/normal-form.ts";
import type { WorkBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../compile.ts";
import { injectionSetNames, type ToolInjection, type ToolSettings } from "../document/document-parts.ts";
import { injectionSets } from "./injection-sets.ts";
import { compileAny, type LinearPattern } from "./linear-pattern.ts";

export interface InjectionHit {
  readonly set: string;
  /** JSON pointer to the value, or to the value whose key matched. */
  readonly path: string;
}

export interface InjectionCheck {
  readonly sets: readonly string[];
  readonly action: "ask" | "deny";
  /** Property names at any depth, or JSON pointers; values below them are not searched either. */
  readonly except: readonly string[];
}

const builtIn = new Map<string, LinearPattern>();

/** Compiled at first use: most isolates need few of the sets. */
function builtInSet(name: string): LinearPattern | undefined {
  const known = injectionSetNames.find((one) => one === name);
  if (known === undefined) return undefined;
  const compiled = builtIn.get(known) ?? compileAny(injectionSets[known], { ignoreCase: true, builtIn: true });
  builtIn.set(known, compiled);
  return compiled;
}

/** @throws for an unknown set, and `WorkSpent`: a check that did not happen must not look like a pass. */
export function findInjection(
  value: unknown,
  check: InjectionCheck,
  custom: ReadonlyMap<string, LinearPattern>,
  work: WorkBudget,
): InjectionHit | undefined {
  if (check.sets.length === 0) return undefined;
  const sets = check.sets.map((name) => {
    const pattern = custom.get(name) ?? builtInSet(name);
    if (!pattern) throw new Error(`unknown set of patterns ${name}`);
    return { name, pattern };
  });
  const except = new Set(check.except);
  const found: Found = { texts: [], except, hasPaths: check.except.some((one) => one.startsWith("/")) };
  collect(value, undefined, found);
  for (const { name, pattern } of sets) {
    const hit = found.texts.find(({ text }) => pattern.test(text, work));
    if (hit) return { set: name, path: pathOf(hit.place) };
  }
  return undefined;
}

/** A pointer is written only for a hit: arguments may hold thousands of texts, deeply nested. */
interface ValuePath {
  readonly parent: ValuePath | undefined;
  readonly key: string;
}

function pathOf(place: ValuePath | undefined): string {
  const keys: string[] = [];
  for (let at = place; at !== undefined; at = at.parent) keys.push(at.key);
  return toPointer(keys.reverse());
}

interface Found {
  readonly texts: { readonly text: string; readonly place: ValuePath | undefined }[];
  readonly except: ReadonlySet<string>;
  /** Some exceptions are JSON pointers. */
  readonly hasPaths: boolean;
}

function collect(value: unknown, place: ValuePath | undefined, found: Found): void {
  const { texts, except, hasPaths } = found;
  if (typeof value === "string") texts.push({ text: plain(value), place });
  if (typeof value !== "object" || value === null) return;
  const isList = Array.isArray(value);
  for (const [key, part] of Object.entries(value)) {
    const at = { parent: place, key };
    if (!isList) texts.push({ text: plain(key), place: at });
    if ((!isList && except.has(key)) || (hasPaths && except.has(pathOf(at)))) continue;
    collect(part, at, found);
  }
}

const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]|[\u{e0000}-\u{e007f}]/gu;

/** Without zero-width characters and full-width letters: a model reads the plain text. */
function plain(text: string): string {
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) > 126) return normalForm(text.replace(invisible, ""), "NFKC");
  }
  return text;
}

/**
 * The tool's own setting, else its groups' (united: `deny` before `ask`, and an exception only if all have it), else the
 * policy's. For an unlisted tool the policy's always applies and groups can only add: its name is the client's choice.
 */
export function injectionFor(
  policy: CompiledPolicy,
  own: ToolSettings | undefined,
  groups: readonly ToolSettings[],
): InjectionCheck {
  const standard: InjectionCheck = { sets: policy.injection.sets, action: policy.injection.action, except: [] };
  if (own?.injection !== undefined) return toCheck(own.injection, standard);
  const set = groups.flatMap((group) => (group.injection === undefined ? [] : [toCheck(group.injection, standard)]));
  if (own === undefined) return set.reduce(unite, standard);
  const [first, ...others] = set;
  return first ? others.reduce(unite, first) : standard;
}

function toCheck(setting: ToolInjection, standard: InjectionCheck): InjectionCheck {
  if (setting === false) return { sets: [], action: "ask", except: [] };
  return {
    sets: setting.sets ?? standard.sets,
    action: setting.action ?? standard.action,
    except: setting.except ?? [],
  };
}

function unite(a: InjectionCheck, b: InjectionCheck): InjectionCheck {
  if (a.sets.length === 0) return b;
  if (b.sets.length === 0) return a;
  return {
    sets: [...new Set([...a.sets, ...b.sets])],
    action: a.action === "deny" || b.action === "deny" ? "deny" : "ask",
    except: a.except.filter((one) => b.except.includes(one)),
  };
}
