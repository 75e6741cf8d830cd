/**
 * A step's arguments as they will be called: placeholders and references put in, in one pass. Pure.
 *
 * What is put in is never read again: a `{{…}}` in a mail's text, or in what a user filled in, stays the text that it is.
 */

import { toPointer } from "../lib/json/json-pointer.ts";
import { holdsUnsure } from "../lib/json/strict-json.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { ABSENT, mapTexts } from "./map-texts.ts";
import { soleUse } from "./places.ts";
import type { Placeholder, PlanArguments, PlanFault, PlanStep } from "./plan.ts";
import { readResult, valueAt } from "./references.ts";
import { type PlaceholderUse, type Reference, readTemplate } from "./template.ts";

/** UTF-16 units that are put into one step: a reference repeated a thousand times must not make gigabytes. */
const MAX_BOUND = 512 * 1024;

export interface Bindings {
  /** Of the plan: which of them may be left open. */
  readonly placeholders: readonly Placeholder[];
  /** What the user has filled in, by name. */
  readonly values: Readonly<Record<string, unknown>>;
  /** By step: what its tool gave back, as text; null where it was not kept. */
  readonly results: ReadonlyMap<string, string | null>;
}

export interface BoundStep {
  readonly arguments: PlanArguments;
  /** The steps whose results stand in them, each once. */
  readonly from: readonly string[];
}

/** The fault names step and path, never a value. */
export function bindStep(step: PlanStep, bindings: Bindings): Result<BoundStep, PlanFault> {
  const binding: Binding = { step, bindings, results: new Map(), found: new Map(), used: new Set(), left: MAX_BOUND };
  try {
    const bound = mapTexts(step.arguments.input, (text, tokens) => bindText(binding, text, tokens));
    return ok({ arguments: bound as PlanArguments, from: [...binding.used] });
  } catch (error) {
    if (error instanceof Unresolved) return err(error.fault);
    throw error;
  }
}

interface Found {
  readonly value: unknown;
  readonly size: number;
}

interface Binding {
  readonly step: PlanStep;
  readonly bindings: Bindings;
  readonly results: Map<string, Result<unknown, string>>;
  /** By source: what is named twice is looked for once. */
  readonly found: Map<string, Found>;
  readonly used: Set<string>;
  left: number;
}

type Tokens = readonly (string | number)[];

/** Ends the walk; caught above. */
class Unresolved extends Error {
  readonly fault: PlanFault;

  constructor({ step }: Binding, tokens: Tokens, message: string) {
    super(message);
    this.fault = { code: "reference_unresolved", message, step: step.id, path: toPointer(tokens) };
  }
}

function bindText(binding: Binding, text: string, tokens: Tokens): unknown {
  if (!text.includes("{{")) return text;
  const parts = readTemplate(text);
  const sole = soleUse({ parts });
  if (sole) {
    const value = valueFor(binding, sole, tokens);
    // An optional placeholder that nobody filled in.
    if (value === undefined) return ABSENT;
    spend(binding, sole, tokens);
    return value;
  }
  const pieces = parts.map((part) => {
    if (part.kind === "text") return part.text;
    // Inert: validation refuses it, and nothing reads it as anything.
    if (part.kind === "invalid") return part.source;
    const value = valueFor(binding, part, tokens);
    if (value === undefined) throw new Unresolved(binding, tokens, `\`${part.source}\` is not filled in`);
    if (value === null) throw new Unresolved(binding, tokens, `\`${part.source}\` is null, which has no text`);
    spend(binding, part, tokens);
    return typeof value === "string" ? value : JSON.stringify(value);
  });
  return pieces.join("");
}

/** Undefined for an optional placeholder that is open. */
function valueFor(binding: Binding, use: Reference | PlaceholderUse, tokens: Tokens): unknown {
  const known = binding.found.get(use.source);
  if (known) return known.value;
  const value = use.kind === "reference" ? resultOf(binding, use, tokens) : filledIn(binding, use, tokens);
  const size = value === undefined ? 0 : JSON.stringify(value).length;
  binding.found.set(use.source, { value, size });
  return value;
}

function filledIn(binding: Binding, { name, source }: PlaceholderUse, tokens: Tokens): unknown {
  const { values, placeholders } = binding.bindings;
  if (Object.hasOwn(values, name)) return values[name];
  if (placeholders.some((one) => one.name === name && one.optional)) return undefined;
  throw new Unresolved(binding, tokens, `\`${source}\` is not filled in`);
}

function resultOf(binding: Binding, { step, path, source }: Reference, tokens: Tokens): unknown {
  const read = binding.results.get(step) ?? readResult(binding.bindings.results.get(step));
  binding.results.set(step, read);
  const refer = (why: string) => new Unresolved(binding, tokens, `\`${source}\` leads nowhere: ${why}`);
  if (!read.ok) throw refer(`the result of the step \`${step}\` ${read.error}`);
  const value = valueAt(read.value, path);
  if (value === undefined) throw refer(`the result of the step \`${step}\` has nothing at that path`);
  if (holdsUnsure(value)) throw refer("a number there does not survive being read");
  binding.used.add(step);
  return value;
}

function spend(binding: Binding, { source }: Reference | PlaceholderUse, tokens: Tokens): void {
  binding.left -= binding.found.get(source)?.size ?? 0;
  if (binding.left < 0) throw new Unresolved(binding, tokens, `what is put in is longer than ${MAX_BOUND} characters`);
}
