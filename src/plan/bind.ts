/**
 * Fills the user's values and earlier results into a step's arguments, in one pass. Pure.
 *
 * What is filled in is never read again: `{{…}}` in a mail's text, or in a value that the user filled in, stays text.
 */

import { toPointer, valueAt } from "../lib/json/json-value.ts";
import { holdsInexact, parseMarkingNumbers } from "../lib/json/strict-json.ts";
import { err, ok, type Result } from "../lib/result.ts";
import type { Placeholder, PlanArguments, PlanFault, PlanStep } from "./plan.ts";
import {
  ABSENT,
  mapTexts,
  type PlaceholderUse,
  type Reference,
  readTemplate,
  soleUse,
  templatePlaces,
} from "./template.ts";

/** UTF-16 units filled into one step: a reference repeated a thousand times must not make gigabytes. */
const MAX_BOUND = 512 * 1024;
/** UTF-16 units of a result that is looked into. */
const MAX_RESULT = 256 * 1024;

interface Bindings {
  readonly placeholders: readonly Placeholder[];
  /** The user's values, by placeholder. */
  readonly values: Readonly<Record<string, unknown>>;
  /** By step: what its tool returned, as text; null if it was not stored. */
  readonly results: ReadonlyMap<string, string | null>;
}

export interface BoundStep {
  readonly arguments: PlanArguments;
  /** The steps whose results were filled in, each once. */
  readonly from: readonly string[];
}

/** The references in a step's input, in order. */
export const referencesOf = ({ arguments: { input } }: Pick<PlanStep, "arguments">): readonly Reference[] =>
  templatePlaces(input).flatMap(({ parts, isName }) =>
    isName ? [] : parts.filter((part): part is Reference => part.kind === "reference"),
  );

/** The fault names step and path, never a value. */
export function bindStep(step: PlanStep, bindings: Bindings): Result<BoundStep, PlanFault> {
  const binding: Binding = { ...bindings, parsed: new Map(), from: new Set(), left: MAX_BOUND };
  const faults: PlanFault[] = [];
  const bound = mapTexts(step.arguments.input, (text, tokens) => {
    const value = faults.length > 0 ? ok(ABSENT) : bindText(binding, text);
    if (value.ok) return value.value;
    faults.push({ code: "reference_unresolved", message: value.error, step: step.id, path: toPointer(tokens) });
    return ABSENT;
  });
  const [fault] = faults;
  return fault ? err(fault) : ok({ arguments: bound as PlanArguments, from: [...binding.from] });
}

interface Binding extends Bindings {
  /** By step: each result is parsed once. */
  readonly parsed: Map<string, Result<unknown, string>>;
  readonly from: Set<string>;
  /** Units that may still be filled in. */
  left: number;
}

function bindText(binding: Binding, text: string): Result<unknown, string> {
  if (!text.includes("{{")) return ok(text);
  const parts = readTemplate(text);
  const sole = soleUse(parts);
  if (sole) return boundValue(binding, sole);
  const texts: string[] = [];
  for (const part of parts) {
    if (part.kind === "text") texts.push(part.text);
    // Validation refuses it; here it stays text.
    else if (part.kind === "invalid") texts.push(part.source);
    else {
      const value = boundValue(binding, part);
      if (!value.ok) return value;
      if (value.value === ABSENT) return err(`\`${part.source}\` is not filled in`);
      if (value.value === null) return err(`\`${part.source}\` is null, which has no text`);
      texts.push(typeof value.value === "string" ? value.value : JSON.stringify(value.value));
    }
  }
  return ok(texts.join(""));
}

/** `ABSENT` for an optional placeholder without a value. */
function boundValue(binding: Binding, use: Reference | PlaceholderUse): Result<unknown, string> {
  const found = use.kind === "reference" ? resultAt(binding, use) : filledIn(binding, use);
  if (!found.ok || found.value === ABSENT) return found;
  binding.left -= JSON.stringify(found.value).length;
  return binding.left < 0 ? err(`the values that are put in are longer than ${MAX_BOUND} characters`) : found;
}

function filledIn({ values, placeholders }: Bindings, { name, source }: PlaceholderUse): Result<unknown, string> {
  if (Object.hasOwn(values, name)) return ok(values[name]);
  const optional = placeholders.some((one) => one.name === name && one.optional);
  return optional ? ok(ABSENT) : err(`\`${source}\` is not filled in`);
}

function resultAt({ results, parsed, from }: Binding, { step, path, source }: Reference): Result<unknown, string> {
  const result = parsed.get(step) ?? parseResult(results.get(step));
  parsed.set(step, result);
  const nowhere = (why: string) => err(`\`${source}\` leads nowhere: ${why}; make another plan`);
  if (!result.ok) return nowhere(`the result of the step \`${step}\` ${result.error}`);
  const value = valueAt(result.value, path);
  if (value === undefined) return nowhere(`the result of the step \`${step}\` has nothing at that path`);
  if (holdsInexact(value)) return nowhere("a number there cannot be read exactly");
  from.add(step);
  return ok(value);
}

/** The text itself if a tool returned no JSON. The error ends a sentence about the result. */
function parseResult(text: string | null | undefined): Result<unknown, string> {
  if (text === undefined || text === null) return err("was not stored: there is none, or it is too long");
  if (text.length > MAX_RESULT) return err("is too long");
  const parsed = parseMarkingNumbers(text);
  if (parsed.ok) return parsed;
  return parsed.error.problem === "syntax" ? ok(text) : err("is JSON that two readers could read differently");
}
