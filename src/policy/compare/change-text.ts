/** Summarises the changes of a policy in about ten lines, loosened settings first. `changeLines` has all of them. Pure. */
import { uniqueSorted } from "../../lib/unique.ts";
import { durationAsWritten } from "../document/duration-text.ts";
import { after, before, changed, type Fields, fieldsOf, isFields, list, listsIn, nameOf } from "./changed-fields.ts";
import { directorySummary, RULE_FIELDS, ruleSummary } from "./rule-summary.ts";

/** As a gateway returns them, perhaps of another version; null if it cannot compare. */
export type ChangeParts = (Readonly<Record<string, unknown>> & { readonly truncated?: boolean }) | null;

/** Lines of a kind: more are counted. */
const LINES = 4;

/** Settings of a tool whose change an operator must see, with the line for each side. */
const FLAGS = [
  ["asks", "a person is asked from now on", "nobody is asked any more"],
  ["gate", "the first use is asked from now on", "the first use is not asked any more"],
] as const;
const VALUES = ["category", "roles"] as const;
/** Follows from the category, or shows in the line about who loses or gains the tool. */
const IMPLIED = ["class", "listed"];

export function changeSummary(changes: ChangeParts): string[] {
  const parts = (name: string): readonly Fields[] => {
    return listsIn(changes?.[name]);
  };
  const tools = parts("tools");
  const rules = ruleSummary(tools);
  const directory = directorySummary(parts("settings"));
  const lines = [
    ...capped(effectSummary(tools, "gains")),
    ...flagSummary(tools, false),
    ...rules.loosened,
    ...directory.loosened,
    ...capped(effectSummary(tools, "loses")),
    ...flagSummary(tools, true),
    ...rules.tightened,
    ...directory.tightened,
    ...valueSummary(tools),
    ...restSummary(tools),
    ...capped(parts("hosts").map(hostSummary)),
    ...namedSummary("intents", "intent", parts("intents")),
    ...namedSummary("modes", "mode", parts("modes")),
    ...settingSummary(parts("settings").filter(({ path }) => path !== "/directory")),
  ];
  return changes?.truncated ? [...lines, "there is more that changes than the gateway tells"] : lines;
}

/** `guest, user lose deploy, git_push in 3 situations (role_forbids)` */
function effectSummary(tools: readonly Fields[], verb: "loses" | "gains"): string[] {
  const byPlaces = new Map<string, string[]>();
  for (const { tool, effects } of tools) {
    const differing = listsIn(effects).filter((effect) => (effect.after === "offered") === (verb === "gains"));
    if (differing.length === 0) continue;
    const who = uniqueSorted(differing.map(({ role }) => (role === "*" ? "every role" : String(role))));
    const places = uniqueSorted(differing.map(situationText));
    const reasons = uniqueSorted(
      differing.flatMap(({ reasons }) => (Array.isArray(reasons) ? reasons.map(String) : [])),
    );
    const where = places.length === 1 ? `in ${places[0]}` : `in ${places.length} situations`;
    const why = reasons.length === 0 ? "" : ` (${verb === "gains" ? "was " : ""}${reasons.join(", ")})`;
    const key = `${list(who)} ${who.length === 1 ? verb : verb.slice(0, -1)} … ${where}${why}`;
    byPlaces.set(key, [...(byPlaces.get(key) ?? []), String(tool)]);
  }
  return [...byPlaces].map(([text, names]) => text.replace("…", () => list(names)));
}

function flagSummary(tools: readonly Fields[], value: boolean): string[] {
  return FLAGS.flatMap(([field, gained, lost]) => {
    const names = tools.filter((one) => changed(one, field) && after(one, field) === value).map(nameOf);
    return names.length === 0 ? [] : [`${value ? gained : lost}: ${list(names)}`];
  });
}

function valueSummary(tools: readonly Fields[]): string[] {
  return VALUES.flatMap((field) => {
    const parts = tools.flatMap((one) =>
      changed(one, field) ? [`${nameOf(one)} ${arrow(before(one, field), after(one, field))}`] : [],
    );
    return parts.length === 0 ? [] : [`${field}: ${list(parts)}`];
  });
}

function restSummary(tools: readonly Fields[]): string[] {
  const parts = new Set<string>([...FLAGS.map(([field]) => field), ...VALUES, ...IMPLIED, ...RULE_FIELDS]);
  const names = tools.filter((one) => fieldsOf(one).some((field) => !parts.has(field))).map(nameOf);
  return names.length === 0 ? [] : [`other settings of the tools: ${list(names)}`];
}

function hostSummary({ host, change, gained, lost }: Fields): string {
  const differing = [sign("+", gained), sign("-", lost)].flat();
  return `host ${host} ${change}: ${list(differing)}`;
}

function namedSummary(title: string, key: string, entries: readonly Fields[]): string[] {
  const kinds = [...new Set(entries.map(({ change }) => String(change)))].sort();
  const parts = kinds.map((kind) => {
    const names = entries
      .filter(({ change }) => change === kind)
      .map((entry) => {
        const differing =
          kind === "added" || kind === "removed" ? [] : [sign("+", entry.gained), sign("-", entry.lost)].flat();
        return differing.length === 0 ? String(entry[key]) : `${String(entry[key])} (${list(differing)})`;
      });
    return `${kind} ${list(names)}`;
  });
  return parts.length === 0 ? [] : [`${title}: ${parts.join("; ")}`];
}

function settingSummary(settings: readonly Fields[]): string[] {
  const parts = settings.map((one) => {
    const path = String(one.path);
    const read = DURATIONS.test(path) ? durationOf : (value: unknown) => value;
    return `${path} ${shortened(arrow(read(one.before), read(one.after)))}`;
  });
  return parts.length === 0 ? [] : [`settings: ${list(parts)}`];
}

/** A compiled policy holds them in milliseconds. */
const DURATIONS = /\/(inlineExpiresAfter|longest|keepFor|refresh|timeout|window)$/;
const durationOf = (value: unknown): unknown => (typeof value === "number" ? durationAsWritten(value) : value);

const sign = (mark: string, names: unknown): string[] =>
  Array.isArray(names) ? names.map((name) => `${mark}${String(name)}`) : [];
const capped = (lines: readonly string[]): string[] =>
  lines.length <= LINES ? [...lines] : [...lines.slice(0, LINES), `… and ${lines.length - LINES} more such lines`];
const shortened = (text: string): string => (text.length <= 60 ? text : `${text.slice(0, 59)}…`);

/** Every change. If the gateway cannot compare, a separate warning says so. */
export function changeLines(changes: ChangeParts): string[] {
  const { truncated, ...parts } = changes ?? {};
  const lines = Object.entries(parts).flatMap(([part, entries]) => {
    if (!Array.isArray(entries) || entries.length === 0) return [];
    return [`${part}:`, ...entries.flatMap((entry) => entryLines(entry).map((line) => `  ${line}`))];
  });
  return truncated ? [...lines, "there is more that changes than the gateway tells"] : lines;
}

function entryLines(entry: unknown): string[] {
  if (!isFields(entry)) return [String(entry)];
  const { host, tool, mode, intent, path, change, effects, gained, lost } = entry;
  const name = String(host ?? tool ?? mode ?? intent ?? path ?? "");
  const what = typeof change === "string" ? ` ${change}` : "";
  const differs = path === undefined ? fieldsText(entry.before, entry.after) : arrow(entry.before, entry.after);
  const head = `${name}${what}${differs === "" ? "" : `  ${differs}`}`;
  const differing = [listText("gains", gained), listText("loses", lost)].filter((text) => text !== "").join(", ");
  const below = Array.isArray(effects) ? effectLines(effects.filter(isFields)) : [];
  return [differing === "" ? head : `${head}  ${differing}`, ...below.map((line) => `  ${line}`)];
}

/** `category external → modification, roles - → ["admin"]` */
function fieldsText(before: unknown, after: unknown): string {
  const [was, is] = [isFields(before) ? before : {}, isFields(after) ? after : {}];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return names.map((name) => `${name} ${arrow(was[name], is[name])}`).join(", ");
}

const arrow = (before: unknown, after: unknown): string => `${valueText(before)} → ${valueText(after)}`;

function valueText(value: unknown): string {
  if (value === undefined) return "-";
  return typeof value === "string" ? value : JSON.stringify(value);
}

const listText = (verb: string, names: unknown): string =>
  Array.isArray(names) && names.length > 0 ? `${verb} ${names.join(", ")}` : "";

/** Effects that differ only in their role are one line. */
function effectLines(effects: readonly Fields[]): string[] {
  const roles = new Map<string, string[]>();
  for (const effect of effects) {
    const where = placeText(effect);
    roles.set(where, [...(roles.get(where) ?? []), effect.role === "*" ? "every role" : String(effect.role)]);
  }
  return [...roles].map(([where, who]) => where.replace("…", who.join(", ")));
}

/** `withheld from … in every mode without an intent (role_forbids)` */
function placeText(effect: Fields): string {
  const offered = effect.after === "offered";
  const codes = Array.isArray(effect.reasons) ? effect.reasons.join(", ") : "";
  const why = codes === "" ? "" : ` (${offered ? "was " : ""}${codes})`;
  return `${offered ? "offered to" : "withheld from"} … in ${situationText(effect)}${why}`;
}

/** `every mode without an intent` */
function situationText({ mode, intent }: Fields): string {
  const where = mode === "*" ? "every mode" : `mode ${mode}`;
  const when =
    intent === undefined ? "without an intent" : intent === "*" ? "under every intent" : `under ${String(intent)}`;
  return `${where} ${when}`;
}
