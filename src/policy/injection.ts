/** Looks for injection patterns in arguments: every string at any depth, keys too. Pure. */
import type { WorkBudget } from "../lib/work-budget.ts";
import { injectionSetNames } from "./document-parts.ts";
import { injectionSets } from "./injection-sets.ts";
import { compileAny, type LinearPattern } from "./linear-pattern.ts";
import { pointer } from "./policy-issue.ts";

export interface InjectionHit {
  readonly set: string;
  /** JSON pointer to the value, or to the value whose key matched. */
  readonly path: string;
}

export interface InjectionCheck {
  readonly sets: readonly string[];
  readonly action: "ask" | "deny";
  /** Property names at any depth, or JSON pointers; what lies below them is not looked at either. */
  readonly except: readonly string[];
}

const builtIn = new Map<string, LinearPattern>();

/** Compiled at first use: a cold start should not pay for sets that no policy names. */
function builtInSet(name: string): LinearPattern | undefined {
  const known = injectionSetNames.find((one) => one === name);
  if (known === undefined) return undefined;
  const compiled = builtIn.get(known) ?? compileAny(injectionSets[known], { ignoreCase: true, builtIn: true });
  builtIn.set(known, compiled);
  return compiled;
}

/** @throws where a set is not known, and `WorkSpent`: a check that is not made must not read as passed. */
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
  const texts: { text: string; path: string }[] = [];
  collect(value, "", except, texts);
  for (const { name, pattern } of sets) {
    const hit = texts.find(({ text }) => pattern.test(text, work));
    if (hit) return { set: name, path: hit.path };
  }
  return undefined;
}

function collect(value: unknown, path: string, except: ReadonlySet<string>, into: { text: string; path: string }[]) {
  if (typeof value === "string") into.push({ text: plain(value), path });
  if (typeof value !== "object" || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    const at = `${path}${pointer([key])}`;
    if (!Array.isArray(value)) into.push({ text: plain(key), path: at });
    if (!except.has(at) && (Array.isArray(value) || !except.has(key))) collect(part, at, except, into);
  }
}

const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]|[\u{e0000}-\u{e007f}]/gu;

/** Full-width letters and zero-width characters read as the plain text that a model takes them for. */
function plain(text: string): string {
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) > 126) return text.replace(invisible, "").normalize("NFKC");
  }
  return text;
}
