/** Estimates from above the memory of a compiled policy in an isolate, with its detection. Pure. */

import { patternSize } from "../arguments/linear-pattern.ts";
import type { CompiledPolicy } from "../compile.ts";
import { patternsOf } from "./entity-parts.ts";

/** Measured: up to 28 for each character of a document of families and modes. */
const PER_CHARACTER = 30;
/** Keywords become a tree with a node a character. */
const PER_KEYWORD_CHARACTER = 70;
const PER_PATTERN = 10_000;
const PER_PATTERN_PART = 400;
/** A class such as `\p{L}` has hundreds of ranges. */
const PER_CLASS = 8_000;
/** The intents and families that `intentGuard` adds. */
const GUARD = 700_000;

/** @param length of the document's text. */
export function policyBytes(policy: CompiledPolicy, length: number): number {
  const { intents, entities, injection, detection } = policy;
  const keywords = sum([...intents.values()].flatMap((intent) => intent.keywords.map((keyword) => keyword.length)));
  const sources = [
    ...[...intents.values()].flatMap((intent) => intent.patterns),
    ...Object.values(entities).flatMap((entity) => patternsOf(entity).map(({ match }) => match)),
    ...(detection.extract === undefined ? [] : [detection.extract]),
  ];
  const custom = sum([...injection.custom.values()].map(({ bytes }) => bytes));
  const guard = policy.intentGuard ? GUARD : 0;
  return length * PER_CHARACTER + keywords * PER_KEYWORD_CHARACTER + sum(sources.map(patternBytes)) + custom + guard;
}

function patternBytes(source: string): number {
  const classes = source.split(/\\[pP]/).length - 1;
  return PER_PATTERN + PER_PATTERN_PART * patternSize(source) + PER_CLASS * classes;
}

const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);
