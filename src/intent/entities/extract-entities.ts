/** The values that a user's message names, each with its place. Pure. Source: reference/intent-detection-and-safe-tools.md, part 2. */
import { type WorkBudget, WorkSpent } from "../../lib/work-budget.ts";
import type { DetectedIntent, Entity } from "../detection.ts";
import type { CompiledEntities, CompiledEntity } from "./compile-entities.ts";
import { ALWAYS_REDACTED, type BuiltInSpan, findBuiltIn } from "./find-built-in.ts";
import { inMessage, overlaps, readingWindows, type Span, type Window } from "./spans.ts";

/** Values of one name, and in all: more of them are a list, which no argument holds. */
const MAX_OF_NAME = 8;
const MAX_ENTITIES = 32;

interface NamedValue extends Span {
  readonly name: string;
  readonly redact: boolean;
}

/**
 * The policy's own first, in the document's order, then the built-in ones in the message's. An entity that intents name is
 * looked for if one of those was detected; one that no intent names, always.
 * @returns at most 32.
 */
export function extractEntities(
  compiled: CompiledEntities,
  message: string,
  intents: readonly Pick<DetectedIntent, "name">[],
  work: WorkBudget,
): readonly Entity[] {
  const detected = new Set(intents.map(({ name }) => name));
  const wanted = compiled.own.filter(({ name }) => {
    const by = compiled.wantedBy.get(name);
    return by === undefined || [...by].some((intent) => detected.has(intent));
  });
  const windows = readingWindows(message);
  const builtIn = windows.flatMap((window) => inMessage(window, findBuiltIn(window.text)));
  const own = wanted.flatMap((entity) => findOwn(entity, windows, work));
  const shown = builtIn.filter(({ name }) => compiled.builtIn.has(name)).map(markedBuiltIn);
  const hidden = [...own, ...builtIn.map(markedBuiltIn)].filter(({ redact }) => redact);
  const all = [...own, ...limitEach(shown)].slice(0, MAX_ENTITIES);
  return all.map(({ name, value, at, end, redact }) => {
    const text = message.slice(at, end);
    // A value that is private under one name does not become public under another.
    const isPrivate = redact || hidden.some((other) => overlaps(other, { at, end })) || address.test(text);
    return { name, value, text, at, redact: isPrivate };
  });
}

/** Also in forms that the built-in entities do not read (`bob@müller.de`). */
const address = /[@\uff20]|:\/\//;

const markedBuiltIn = (span: BuiltInSpan): NamedValue => ({ ...span, redact: ALWAYS_REDACTED.has(span.name) });

/** As many as the budget allows: the user is asked for the others, or they are left to the model. */
function findOwn(
  { name, redact, finders }: CompiledEntity,
  windows: readonly Window[],
  work: WorkBudget,
): NamedValue[] {
  const found: NamedValue[] = [];
  try {
    for (const find of finders) {
      for (const span of windows.flatMap((window) => inMessage(window, find(window.text, work)))) {
        const known = found.some((other) => other.value === span.value || overlaps(other, span));
        if (!known && found.length < MAX_OF_NAME) found.push({ ...span, name, redact });
      }
    }
  } catch (error) {
    if (!(error instanceof WorkSpent)) throw error;
  }
  return found;
}

function limitEach(spans: readonly NamedValue[]): NamedValue[] {
  const seen = new Map<string, Set<string | number>>();
  return spans.filter(({ name, value }) => {
    const values = seen.get(name) ?? new Set();
    seen.set(name, values);
    if (values.has(value) || values.size === MAX_OF_NAME) return false;
    values.add(value);
    return true;
  });
}
