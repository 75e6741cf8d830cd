/** All values that a policy's pattern finds, in linear time. Pure. */
import { type Matcher, RE2JS } from "re2js";
import type { WorkBudget } from "../../lib/work-budget.ts";
import { compileAdmitted, type LinearPattern } from "../../policy/arguments/linear-pattern.ts";
import type { EntityPattern } from "../../policy/document/entity-parts.ts";
import { passagesOf } from "../lexical/passages.ts";

/** Searches of one text: each may read all of it, so more of them would not be linear. */
const MAX_SEARCHES = 8;

export interface FoundValue {
  readonly value: string;
  readonly at: number;
  readonly end: number;
}

/** Throws `WorkSpent`. */
export type FindPattern = (text: string, work: WorkBudget) => readonly FoundValue[];

/** Throws on a pattern that the document's check would refuse. */
export function compileFindPattern({ match, value }: EntityPattern): FindPattern {
  const regex = compileAdmitted(RE2JS.translateRegExp(match), { ignoreCase: true });
  const read = value === undefined ? groupReader(regex) : templateReader(value);
  return (text, work) => {
    // Some ten times faster than a search that tells where, and the answer is mostly no.
    if (!regex.test(text, work)) return [];
    // To tell where takes time by the passage: sentences together, up to some 500 characters.
    const passages = passagesOf(text);
    // A sentence that is longer is cut anywhere: what touches the cut may be half of a value.
    const cuts = new Set(passages.map(({ end }) => end).filter((end) => end < text.length && !endsSentence(text, end)));
    return passages
      .flatMap(({ start, end }) => findIn(regex, read, text.slice(start, end), start, work))
      .filter(({ at, end }) => !cuts.has(at) && !cuts.has(end))
      .slice(0, MAX_SEARCHES);
  };
}

const endsSentence = (text: string, end: number): boolean => /[.!?\n。！？]/.test(text.charAt(end - 1));

type ReadValue = (matcher: Matcher) => FoundValue | undefined;

function findIn(regex: LinearPattern, read: ReadValue, text: string, shift: number, work: WorkBudget): FoundValue[] {
  if (!regex.test(text, work)) return [];
  const found: FoundValue[] = [];
  let searches = 0;
  for (const matcher of regex.matches(text, work)) {
    const one = read(matcher);
    if (one && one.value !== "") found.push({ ...one, at: one.at + shift, end: one.end + shift });
    searches += 1;
    if (searches === MAX_SEARCHES) break;
  }
  return found;
}

function groupReader({ groupCount, namedGroups }: LinearPattern): ReadValue {
  const named = Object.hasOwn(namedGroups, "value") ? namedGroups.value : undefined;
  const last = Array.from({ length: groupCount + 1 }, (_, index) => groupCount - index);
  const groups = named === undefined ? last : [named];
  return (matcher) => {
    const group = groups.find((one) => matcher.end(one) > matcher.start(one));
    if (group === undefined) return undefined;
    return { value: matcher.group(group) ?? "", at: matcher.start(group), end: matcher.end(group) };
  };
}

function templateReader(template: string): ReadValue {
  return (matcher) => ({
    value: template.replace(/\$(\d)/g, (_, group: string) => matcher.group(Number(group)) ?? ""),
    at: matcher.start(),
    end: matcher.end(),
  });
}
