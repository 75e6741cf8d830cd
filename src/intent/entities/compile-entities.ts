/** What a policy says of its entities, ready to be looked for. Pure. */
import type { WorkBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import {
  type BuiltInEntity,
  builtInEntities,
  type EntitySettings,
  patternsOf,
} from "../../policy/document/entity-parts.ts";
import { ALWAYS_REDACTED } from "./find-built-in.ts";
import { compileFindPattern } from "./find-pattern.ts";
import { compileWords, findWords } from "./find-words.ts";
import { compileReadValue, readTyped } from "./read-value.ts";
import type { Span } from "./span.ts";

export interface CompiledEntity {
  readonly name: string;
  readonly redact: boolean;
  /** One for the synonyms, one for each pattern: what an earlier one finds comes before what a later one does. */
  readonly finders: readonly ((text: string, work: WorkBudget) => readonly Span[])[];
}

export interface CompiledEntities {
  /** In the document's order. */
  readonly own: readonly CompiledEntity[];
  /** By entity, the intents that name it. */
  readonly wantedBy: ReadonlyMap<string, ReadonlySet<string>>;
  /** Without those whose name the policy gives to its own. */
  readonly builtIn: ReadonlySet<BuiltInEntity>;
}

export function compileEntities({ entities, intents }: CompiledPolicy): CompiledEntities {
  const wantedBy = new Map<string, Set<string>>();
  for (const intent of intents.values()) {
    for (const name of intent.entities) wantedBy.set(name, (wantedBy.get(name) ?? new Set()).add(intent.name));
  }
  return {
    own: Object.entries(entities).map(([name, settings]) => compileEntity(name, settings)),
    wantedBy,
    builtIn: new Set(builtInEntities.filter((name) => !Object.hasOwn(entities, name))),
  };
}

function compileEntity(name: string, settings: EntitySettings): CompiledEntity {
  const read = compileReadValue(settings);
  const patterns = patternsOf(settings).map(compileFindPattern);
  return {
    name,
    // A policy's own `email` is private as the built-in one is.
    redact: settings.redact || ALWAYS_REDACTED.has(name),
    finders: [
      ...(settings.synonyms ? [synonymFinder(settings, settings.synonyms)] : []),
      ...patterns.map(
        (find) => (text: string, work: WorkBudget) =>
          find(text, work).flatMap((found) => withValue(found, read(found.value))),
      ),
    ],
  };
}

/** In the order in which the policy lists the values, as the reference document looks its topics up. */
function synonymFinder(settings: EntitySettings, synonyms: Readonly<Record<string, readonly string[]>>) {
  const meanings = Object.entries(synonyms);
  const values = meanings.map(([value]) => readTyped(value, settings));
  const list = compileWords(meanings.map(([, words]) => words));
  return (text: string): Span[] =>
    findWords(list, text)
      .sort((a, b) => a.meaning - b.meaning || a.at - b.at)
      .flatMap((found) => withValue(found, values[found.meaning]));
}

const withValue = ({ at, end }: Pick<Span, "at" | "end">, value: Span["value"] | undefined): Span[] =>
  value === undefined ? [] : [{ value, at, end }];
