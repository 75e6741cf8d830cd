/** What is written as the value of an argument, read as the policy's entity of that name would read it. Pure. */
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { EntitySettings } from "../../policy/document/entity-parts.ts";
import { plain } from "./fill-arguments.ts";
import { compileWords, meaningOf } from "./find-words.ts";
import { compileReadValue, readTyped } from "./read-value.ts";

/** Undefined: the policy does not take it. */
export type ReadAnswer = (argument: string, written: string) => string | number | undefined;

/** Of an argument that has no entity, what is written is the value. Where it stands in a message is no matter, so patterns take no part. */
export function answerReader({ entities }: Pick<CompiledPolicy, "entities">): ReadAnswer {
  return (argument, written) => {
    const own = Object.entries(entities).filter(([name]) => plain(name) === plain(argument));
    if (own.length === 0) return written;
    return own.map(([, settings]) => readAs(settings, written)).find((value) => value !== undefined);
  };
}

function readAs(settings: EntitySettings, written: string): string | number | undefined {
  const meanings = Object.entries(settings.synonyms ?? {});
  const meaning = meaningOf(compileWords(meanings.map(([, words]) => words)), written);
  const meant = meaning === undefined ? undefined : meanings[meaning]?.[0];
  return meant === undefined ? compileReadValue(settings)(written) : readTyped(meant, settings);
}
