/** What a policy would change, as a person reads it: one line a host, tool, mode, intent or setting, and what it comes to below. Pure. */
import type { PolicyUpdate } from "./admin-client.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** Where the gateway cannot tell the changes, a warning of its own says so. */
export function changeLines(changes: PolicyUpdate["changes"]): string[] {
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
  const moved = [listText("gains", gained), listText("loses", lost)].filter((text) => text !== "").join(", ");
  const below = Array.isArray(effects) ? effectLines(effects.filter(isFields)) : [];
  return [moved === "" ? head : `${head}  ${moved}`, ...below.map((line) => `  ${line}`)];
}

/** `category external → modification, roles - → ["admin"]` */
function fieldsText(before: unknown, after: unknown): string {
  const [was, is] = [isFields(before) ? before : {}, isFields(after) ? after : {}];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return names.map((name) => `${name} ${arrow(was[name], is[name])}`).join(", ");
}

export const arrow = (before: unknown, after: unknown): string => `${valueText(before)} → ${valueText(after)}`;

function valueText(value: unknown): string {
  if (value === undefined) return "-";
  return typeof value === "string" ? value : JSON.stringify(value);
}

const listText = (verb: string, names: unknown): string =>
  Array.isArray(names) && names.length > 0 ? `${verb} ${names.join(", ")}` : "";

/** Those that differ in their role alone are one line. */
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
export function situationText({ mode, intent }: Fields): string {
  const where = mode === "*" ? "every mode" : `mode ${mode}`;
  const when =
    intent === undefined ? "without an intent" : intent === "*" ? "under every intent" : `under ${String(intent)}`;
  return `${where} ${when}`;
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
