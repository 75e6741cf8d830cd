/** What a policy would change, in about ten lines: who loses or gains which tools first. `change-lines.ts` has all of it. Pure. */
import type { PolicyUpdate } from "./admin-client.ts";
import { arrow, type Fields, isFields, situationText } from "./change-lines.ts";

/** Names in a line, and lines of a kind: more are counted. */
const NAMES = 6;
const LINES = 4;

/** What a person must know of a tool that gets or loses it. */
const FLAGS = [
  ["asks", "a person is asked from now on", "nobody is asked any more"],
  ["gate", "the first use is asked from now on", "the first use is not asked any more"],
  ["trusted", "results are trusted from now on", "results are not trusted any more"],
] as const;
const VALUES = ["category", "roles"] as const;
/** Follows from the category, or is told by the line about who loses or gains the tool. */
const IMPLIED = ["class", "listed"];

export function changeSummary(changes: PolicyUpdate["changes"]): string[] {
  const parts = (name: string): readonly Fields[] => {
    const entries = changes?.[name];
    return Array.isArray(entries) ? entries.filter(isFields) : [];
  };
  const lines = [
    ...capped(effectSummary(parts("tools"))),
    ...flagSummary(parts("tools")),
    ...valueSummary(parts("tools")),
    ...restSummary(parts("tools")),
    ...capped(parts("hosts").map(hostSummary)),
    ...namedSummary("intents", "intent", parts("intents")),
    ...namedSummary("modes", "mode", parts("modes")),
    ...settingSummary(parts("settings")),
  ];
  return changes?.truncated ? [...lines, "there is more that changes than the gateway tells"] : lines;
}

/** `guest, user lose deploy, git_push in 3 situations (role_forbids)` */
function effectSummary(tools: readonly Fields[]): string[] {
  const byPlaces = new Map<string, string[]>();
  for (const { tool, effects } of tools) {
    const all = Array.isArray(effects) ? effects.filter(isFields) : [];
    for (const verb of ["loses", "gains"] as const) {
      const moved = all.filter((effect) => (effect.after === "offered") === (verb === "gains"));
      if (moved.length === 0) continue;
      const who = unique(moved.map(({ role }) => (role === "*" ? "every role" : String(role))));
      const places = unique(moved.map(situationText));
      const reasons = unique(moved.flatMap(({ reasons }) => (Array.isArray(reasons) ? reasons.map(String) : [])));
      const where = places.length === 1 ? `in ${places[0]}` : `in ${places.length} situations`;
      const why = reasons.length === 0 ? "" : ` (${verb === "gains" ? "was " : ""}${reasons.join(", ")})`;
      const key = `${list(who)} ${who.length === 1 ? verb : verb.slice(0, -1)} … ${where}${why}`;
      byPlaces.set(key, [...(byPlaces.get(key) ?? []), String(tool)]);
    }
  }
  return [...byPlaces].map(([text, names]) => text.replace("…", () => list(names)));
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)].sort();

function flagSummary(tools: readonly Fields[]): string[] {
  return FLAGS.flatMap(([field, gained, lost]) =>
    [true, false].flatMap((value) => {
      const names = tools.filter((one) => changed(one, field) && after(one, field) === value).map(nameOf);
      return names.length === 0 ? [] : [`${value ? gained : lost}: ${list(names)}`];
    }),
  );
}

function valueSummary(tools: readonly Fields[]): string[] {
  return VALUES.flatMap((field) => {
    const told = tools.flatMap((one) =>
      changed(one, field) ? [`${nameOf(one)} ${arrow(before(one, field), after(one, field))}`] : [],
    );
    return told.length === 0 ? [] : [`${field}: ${list(told)}`];
  });
}

function restSummary(tools: readonly Fields[]): string[] {
  const told = new Set<string>([...FLAGS.map(([field]) => field), ...VALUES, ...IMPLIED]);
  const names = tools.filter((one) => fieldsOf(one).some((field) => !told.has(field))).map(nameOf);
  return names.length === 0 ? [] : [`other settings of the tools: ${list(names)}`];
}

function hostSummary({ host, change, gained, lost }: Fields): string {
  const moved = [sign("+", gained), sign("-", lost)].flat();
  return `host ${host} ${change}: ${list(moved)}`;
}

function namedSummary(title: string, key: string, entries: readonly Fields[]): string[] {
  const kinds = [...new Set(entries.map(({ change }) => String(change)))].sort();
  const told = kinds.map((kind) => {
    const names = entries
      .filter(({ change }) => change === kind)
      .map((entry) => {
        const moved =
          kind === "added" || kind === "removed" ? [] : [sign("+", entry.gained), sign("-", entry.lost)].flat();
        return moved.length === 0 ? String(entry[key]) : `${String(entry[key])} (${list(moved)})`;
      });
    return `${kind} ${list(names)}`;
  });
  return told.length === 0 ? [] : [`${title}: ${told.join("; ")}`];
}

function settingSummary(settings: readonly Fields[]): string[] {
  const told = settings.map((one) => `${String(one.path)} ${shortened(arrow(one.before, one.after))}`);
  return told.length === 0 ? [] : [`settings: ${list(told)}`];
}

const sign = (mark: string, names: unknown): string[] =>
  Array.isArray(names) ? names.map((name) => `${mark}${String(name)}`) : [];
const nameOf = ({ tool }: Fields): string => String(tool);
const side = (value: unknown): Fields => (isFields(value) ? value : {});
const before = (one: Fields, field: string): unknown => side(one.before)[field];
const after = (one: Fields, field: string): unknown => side(one.after)[field];
const fieldsOf = (one: Fields): string[] => [
  ...new Set([...Object.keys(side(one.before)), ...Object.keys(side(one.after))]),
];
const changed = (one: Fields, field: string): boolean => fieldsOf(one).includes(field);

const list = (names: readonly string[]): string =>
  names.length <= NAMES ? names.join(", ") : `${names.slice(0, NAMES).join(", ")} and ${names.length - NAMES} more`;
const capped = (lines: readonly string[]): string[] =>
  lines.length <= LINES ? [...lines] : [...lines.slice(0, LINES), `… and ${lines.length - LINES} more such lines`];
const shortened = (text: string): string => (text.length <= 60 ? text : `${text.slice(0, 59)}…`);
