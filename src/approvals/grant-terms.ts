/** Reads and bounds the terms of a grant, and checks whether a grant covers a call. Pure. */

import { canonicalJson } from "../lib/json/canonical-json.ts";
import { isObject, memberOf } from "../lib/json/json-value.ts";
import { redactArguments, redacted } from "../lib/redact.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { codeSpan } from "../lib/text/prose.ts";
import { dateText } from "../lib/text/time-text.ts";
import { type WorkBudget, withinBudget } from "../lib/work-budget.ts";
import { compilePattern } from "../policy/arguments/linear-pattern.ts";
import { duration } from "../policy/document/duration-text.ts";
import type { BoundDestinations, ShownDestinations } from "../policy/origin/origin-types.ts";
import type { ArgumentCondition, Grant, GrantTerms } from "./approval.ts";
import type { Language } from "./disclosure/disclosed.ts";
import { shownName, shownValue, valueInSentence } from "./disclosure/shown-value.ts";
import { fillWords, wordsOf } from "./words/words.ts";

type Arguments = Readonly<Record<string, unknown>>;

export interface GrantSettings {
  /** `confirmation.grants` of the policy; `longest` in milliseconds. */
  readonly grants: { readonly enabled: boolean; readonly longest: number };
  /** The arguments of the approved call. */
  readonly args: Arguments;
  /** The arguments that the policy redacts: a grant is shown, so it must not contain them. */
  readonly redact: readonly string[];
  readonly now: number;
  readonly work: WorkBudget;
}

const MAX_CONDITIONS = 20;
/** Shorter than the limit of patterns, so that anchors can be added. */
const MAX_VALUE = 1_900;

/**
 * @param input `{ "until": "session" | "withdrawn" | "8h", "arguments": { "path": { "equals": "a" } | { "matches": "b.*" } } }`.
 * Every grant ends with `longest` at the latest.
 * @returns the result, or the error for a person.
 */
export const grantTerms = (input: unknown, settings: GrantSettings): Result<GrantTerms, string> =>
  withinBudget(
    () => readTerms(input, settings),
    () => err("its patterns are too costly to check: use shorter ones, or `equals`"),
  );

function readTerms(input: unknown, settings: GrantSettings): Result<GrantTerms, string> {
  if (!settings.grants.enabled) return err("the policy permits no grants");
  if (!isObject(input)) return err('must be an object such as `{ "until": "session" }`');
  const unknown = Object.keys(input).find((key) => key !== "until" && key !== "arguments");
  if (unknown !== undefined)
    return err(`has an unknown member \`${unknown.slice(0, 100)}\`, use \`until\` and \`arguments\``);
  const duration = readUntil(memberOf(input, "until"));
  if (duration === undefined) {
    return err('`until` must be `"session"`, `"withdrawn"` or a duration such as `"8h"` or `"30d"`');
  }
  const conditions = readConditions(memberOf(input, "arguments"), settings);
  if (!conditions.ok) return conditions;
  const terms: GrantTerms = {
    session: duration.session,
    expiresAt: settings.now + Math.min(duration.ms, settings.grants.longest),
    arguments: conditions.value,
  };
  return grantCovers(terms, { ...settings, texts: new Map() })
    ? ok(terms)
    : err("`arguments` do not cover this very call");
}

/** @returns the grant, bound to the call's destinations, except for arguments that it has conditions for. */
export function bindGrant(terms: GrantTerms, { destinations = {}, goesTo = {} }: BoundDestinations): GrantTerms {
  const found = withoutConditions(destinations, terms.arguments);
  if (Object.keys(found).length === 0) return terms;
  return { ...terms, destinations: found, goesTo: withoutConditions(goesTo, terms.arguments) };
}

/** Removes the destinations in arguments with a condition: a person's condition takes precedence over a guessed destination. */
export const withoutConditions = <T>(
  destinations: Readonly<Record<string, T>>,
  conditions: GrantTerms["arguments"],
): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(destinations).filter(([name]) => !Object.hasOwn(conditions, name)));

function readUntil(until: unknown): { readonly session: boolean; readonly ms: number } | undefined {
  if (until === "session") return { session: true, ms: Number.POSITIVE_INFINITY };
  if (until === "withdrawn") return { session: false, ms: Number.POSITIVE_INFINITY };
  const { data: ms } = duration().safeParse(until);
  return ms === undefined ? undefined : { session: false, ms };
}

function readConditions(input: unknown, settings: GrantSettings): Result<GrantTerms["arguments"], string> {
  if (input === undefined) return ok({});
  if (!isObject(input)) return err("`arguments` must be an object of conditions by name");
  const names = Object.keys(input);
  if (names.length > MAX_CONDITIONS) return err(`\`arguments\` has more than ${MAX_CONDITIONS} conditions`);
  const shown = redactArguments(settings.args, settings.redact);
  const conditions: [string, ArgumentCondition][] = [];
  for (const name of names) {
    const at = `\`arguments.${name.slice(0, 100)}\``;
    if (!Object.hasOwn(settings.args, name)) return err(`${at} is no argument of this call`);
    if (
      canonicalJson(memberOf(shown, name)) !== canonicalJson(memberOf(settings.args, name)) ||
      memberOf(shown, name) === redacted
    )
      return err(`${at} is redacted, and a grant is shown: it cannot be a condition`);
    const condition = readCondition(memberOf(input, name), settings.work);
    if (!condition.ok) return err(`${at} ${condition.error}`);
    conditions.push([name, condition.value]);
  }
  return ok(Object.fromEntries(conditions));
}

function readCondition(input: unknown, work: WorkBudget): Result<ArgumentCondition, string> {
  if (!isObject(input) || Object.keys(input).length !== 1)
    return err("must have `equals` or `matches`, and nothing else");
  if (Object.hasOwn(input, "equals")) {
    const equals = input.equals;
    const tooLong = (JSON.stringify(equals) ?? "").length > MAX_VALUE;
    return tooLong ? err(`is longer than ${MAX_VALUE} characters, use \`matches\``) : ok({ equals });
  }
  const matches = memberOf(input, "matches");
  if (typeof matches !== "string") return err("must have `equals` or `matches`, and nothing else");
  if (matches.length > MAX_VALUE) return err(`is longer than ${MAX_VALUE} characters`);
  const compiled = compilePattern(matches, work);
  return compiled.ok ? ok({ matches }) : err(`is not a pattern that runs in linear time (RE2): ${compiled.error}`);
}

/** One call, prepared for the comparison with any number of grants. */
interface GrantedCall {
  readonly args: Arguments;
  readonly work: WorkBudget;
  /** Cache: its arguments as canonical JSON, by name. */
  readonly texts: Map<string, string>;
}

/** Whether the grant covers the call. A condition that cannot be read covers nothing. Throws `WorkSpent`. */
export function grantCovers({ arguments: conditions }: Pick<GrantTerms, "arguments">, call: GrantedCall): boolean {
  const { args, work } = call;
  return Object.entries(conditions).every(([name, condition]) => {
    if (!Object.hasOwn(args, name)) return false;
    const value = args[name];
    if ("matches" in condition) return typeof value === "string" && matchesWhole(condition.matches, value, work);
    work.spend(20);
    return textOf(call, name) === canonicalJson(condition.equals);
  });
}

function textOf({ args, texts }: GrantedCall, name: string): string {
  const text = texts.get(name) ?? canonicalJson(args[name]);
  texts.set(name, text);
  return text;
}

function matchesWhole(pattern: string, value: string, work: WorkBudget): boolean {
  // Compiled alone first: inside the anchors, `a)|(b` would be valid and would escape them.
  if (!compilePattern(pattern, work).ok) return false;
  const whole = compilePattern(`\\A(?:${pattern})\\z`, work);
  return whole.ok && whole.value.test(value, work);
}

/** The most destinations in one sentence; the list beside the sentence has all of them. */
const MAX_PLACES = 5;

/** The destinations of a grant as prose; empty if it is not bound to any. */
function onlyTo(goesTo: ShownDestinations | undefined, language: Language): readonly string[] {
  const values = Object.values(goesTo ?? {}).flat();
  if (values.length === 0) return [];
  const { grant: words, and } = wordsOf(language);
  const more = values.length > MAX_PLACES ? ["…"] : [];
  return [fillWords(words.onlyTo, { places: [...values.slice(0, MAX_PLACES).map(codeSpan), ...more].join(and) })];
}

/** Describes a grant in one line of prose. */
export function grantText(grant: (Grant | GrantTerms) & { readonly tool?: string }, language: Language): string {
  const { grant: words, and } = wordsOf(language);
  const conditions = Object.entries(grant.arguments).map(([name, condition]) => {
    const shown = shownName(name).text;
    return "matches" in condition
      ? fillWords(words.matches, { name: shown, pattern: valueInSentence(condition.matches) })
      : fillWords(words.equals, { name: shown, value: codeSpan(shownValue(condition.equals).text) });
  });
  const { expiresAt } = grant;
  return [
    ...(grant.tool === undefined ? [] : [fillWords(words.tool, { tool: codeSpan(shownValue(grant.tool, 80).text) })]),
    ...(conditions.length > 0 ? [conditions.join(and)] : []),
    ...onlyTo(grant.goesTo, language),
    grant.session === false || grant.session === null ? words.everywhere : words.here,
    expiresAt === null ? words.untilWithdrawn : fillWords(words.until, { time: dateText(expiresAt, language, "UTC") }),
  ].join(words.join);
}
