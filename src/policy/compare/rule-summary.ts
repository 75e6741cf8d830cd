/**
 * Summarises the changes in the conditions, limits, order and trust of tools, a line for each kind. Loosened settings are apart from
 * tightened ones, since an operator must not miss the first. Pure.
 */
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import { durationText } from "../../lib/text/time-text.ts";
import { uniqueSorted } from "../../lib/unique.ts";
import { after, before, type Fields, isFields, list, listsIn, nameOf } from "./changed-fields.ts";

/** The fields of a tool that these lines are about. */
export const RULE_FIELDS = [
  "conditions",
  "rate_limits",
  "at_most",
  "after",
  "never_after",
  "trusted",
  "trusted_fields",
  "directory",
  "arguments",
];

interface RuleLines {
  readonly loosened: readonly string[];
  readonly tightened: readonly string[];
}

export function ruleSummary(tools: readonly Fields[]): RuleLines {
  const line = (title: string, details: (tool: Fields) => readonly string[]): string[] => {
    const parts = tools.flatMap((tool) => {
      const found = details(tool).filter((detail) => detail !== "");
      return details(tool).length === 0 ? [] : [found.length === 0 ? nameOf(tool) : `${nameOf(tool)} (${list(found)})`];
    });
    return parts.length === 0 ? [] : [`${title}: ${list(parts)}`];
  };
  return {
    loosened: [
      ...line("conditions lifted", (tool) => conditions(tool).lifted),
      ...line("conditions changed", (tool) => conditions(tool).changed),
      ...line("limits lifted", (tool) => limits(tool).lifted),
      ...line("limits raised", (tool) => limits(tool).raised),
      ...line("order lifted", (tool) => order(tool, before, after)),
      ...line("results trusted from now on", (tool) => trust(tool, before, after)),
      ...line("roles of arguments", roles),
    ],
    tightened: [
      ...line("conditions added", (tool) => conditions(tool).added),
      ...line("limits added", (tool) => limits(tool).added),
      ...line("limits lowered", (tool) => limits(tool).lowered),
      ...line("order added", (tool) => order(tool, after, before)),
      ...line("results not trusted any more", (tool) => trust(tool, after, before)),
    ],
  };
}

/** The policy's list of destinations that calls may go to: `*@corp.com`. */
export function directorySummary(settings: readonly Fields[]): RuleLines {
  const line = (title: string, one: "before" | "after", other: "before" | "after"): string[] => {
    const names = settings
      .filter(({ path }) => path === "/directory")
      .flatMap((setting) => textsIn(setting[one]).filter((text) => !textsIn(setting[other]).includes(text)));
    return names.length === 0 ? [] : [`${title}: ${list(names)}`];
  };
  return {
    loosened: line("destinations trusted from now on", "after", "before"),
    tightened: line("destinations not trusted any more", "before", "after"),
  };
}

const textsIn = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

type Side = typeof before;

const missing = (list: readonly Fields[], other: readonly Fields[]): readonly Fields[] => {
  const known = new Set(other.map((one) => canonicalJson(one)));
  return list.filter((one) => !known.has(canonicalJson(one)));
};

/** One that is gone, with another about the same arguments, is changed: whether it is stricter cannot be determined. */
function conditions(tool: Fields) {
  const [was, is] = [listsIn(before(tool, "conditions")), listsIn(after(tool, "conditions"))];
  const [gone, come] = [missing(was, is).map(subjectOf), missing(is, was).map(subjectOf)];
  return {
    lifted: uniqueSorted(gone.filter((one) => !come.includes(one))),
    changed: uniqueSorted(gone.filter((one) => come.includes(one))),
    added: uniqueSorted(come.filter((one) => !gone.includes(one))),
  };
}

/** The arguments that a condition is about; empty if it names none. */
function subjectOf(condition: Fields): string {
  const { properties, required } = isFields(condition.if) ? condition.if : {};
  return uniqueSorted([...(isFields(properties) ? Object.keys(properties) : []), ...textsIn(required)]).join(" and ");
}

interface Limit {
  /** What is counted, and over which time. */
  readonly of: string;
  readonly max: number;
  readonly period: string;
}

function limitsOf(tool: Fields, side: Side): readonly Limit[] {
  const limit = (one: Fields, period: string): Limit => ({ of: `${one.key} ${period}`, max: Number(one.max), period });
  return [
    ...listsIn(side(tool, "rate_limits")).map((one) => limit(one, `in ${durationText(Number(one.window_ms), "en")}`)),
    ...listsIn(side(tool, "at_most")).map((one) => limit(one, `per ${one.per}`)),
  ];
}

function limits(tool: Fields) {
  const [was, is] = [limitsOf(tool, before), limitsOf(tool, after)];
  const only = (some: readonly Limit[], others: readonly Limit[]) =>
    some.filter(({ of }) => !others.some((one) => one.of === of)).map(({ max, period }) => `${max} ${period}`);
  const moved = (way: 1 | -1) =>
    was.flatMap(({ of, max, period }) => {
      const now = is.find((one) => one.of === of)?.max ?? max;
      return (now - max) * way > 0 ? [`${max} → ${now} ${period}`] : [];
    });
  return { lifted: only(was, is), added: only(is, was), raised: moved(1), lowered: moved(-1) };
}

/** Demands on the order of calls that only the side `one` has. */
function order(tool: Fields, one: Side, other: Side): readonly string[] {
  const demands = (field: string, word: string) =>
    textsIn(one(tool, field))
      .filter((name) => !textsIn(other(tool, field)).includes(name))
      .map((name) => `${word} ${name}`);
  return [...demands("after", "after"), ...demands("never_after", "never after")];
}

/** What is trusted only on the `to` side: the empty text means whole results. */
function trust(tool: Fields, from: Side, to: Side): readonly string[] {
  const gains = (field: string) => to(tool, field) === true && from(tool, field) !== true;
  const fields = textsIn(to(tool, "trusted_fields")).filter(
    (one) => !textsIn(from(tool, "trusted_fields")).includes(one),
  );
  // Whole results were trusted before: fields are less.
  const isLess = from(tool, "trusted") === true;
  return [...(gains("trusted") ? [""] : []), ...(isLess ? [] : fields), ...(gains("directory") ? ["directory"] : [])];
}

/** `amount - → amount`: whether that is stricter depends on the tool. */
function roles(tool: Fields): readonly string[] {
  const [was, is] = [before(tool, "arguments"), after(tool, "arguments")].map((one) => (isFields(one) ? one : {}));
  const text = (value: unknown) =>
    value === undefined ? "-" : isFields(value) ? String(value.role ?? canonicalJson(value)) : String(value);
  return uniqueSorted([...Object.keys(was ?? {}), ...Object.keys(is ?? {})]).flatMap((name) => {
    const [old, now] = [text(was?.[name]), text(is?.[name])];
    return old === now ? [] : [`${name} ${old} → ${now}`];
  });
}
