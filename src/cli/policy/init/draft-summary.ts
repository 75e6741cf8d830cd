/** The head of a draft: a line for each tool, with what it does, when it asks and what must be the user's. Pure. */
import { memberOf } from "../../../lib/json/json-value.ts";
import { plainLine } from "../../../lib/text/visible-text.ts";
import type { InferredEffect } from "../../../policy/infer/effects.ts";
import type { ToolWords } from "../../../policy/infer/evidence.ts";
import type { DraftTool } from "./intent-kinds.ts";
import type { Settings } from "./reader-settings.ts";

const DOES: Readonly<Record<InferredEffect, string>> = {
  read: "reads",
  reach: "opens an address",
  note: "notes",
  create: "creates",
  change: "changes",
  execute: "runs",
  destroy: "destroys",
  access: "changes access",
  send: "sends",
  commit: "binds",
  pay: "pays",
};

const HEAD = [
  "What each tool does, and when it asks. `if`: it runs on the user's word, and asks where one of these is not the user's own or is such a value.",
  "`guests`: open to guests, too.",
];

/** The authors of tools choose the names in it: no line ends before its end. @param settings of each tool, by its name. */
export function draftSummary(tools: readonly DraftTool[], settings: ReadonlyMap<string, Settings>): readonly string[] {
  const width = Math.min(40, Math.max(...tools.map(({ inferred }) => inferred.name.length)));
  const lines = tools.map(({ words, inferred: { name, effect } }) => {
    const own = settings.get(name) ?? {};
    const marks = `${doubtOf(words, own)}${own.roles === undefined ? "  guests" : ""}`;
    return `  ${plainLine(name, 60).padEnd(width)}  ${DOES[effect].padEnd(16)}  ${plainLine(whenItAsks(own), 400)}${marks}`;
  });
  return [...HEAD, ...lines];
}

/** A note if the server's own hint differs from the draft. */
function doubtOf({ annotations }: ToolWords, { category, confirm }: Settings): string {
  if (category === "read_only" || confirm === undefined) return "";
  if (memberOf(annotations, "readOnlyHint") === true) return "  (its server says that it only reads)";
  const destroys = memberOf(annotations, "destructiveHint") === true && confirm !== "ask";
  return destroys ? "  (its server says that it may destroy)" : "";
}

function whenItAsks({ category, confirm, arguments: roles = {}, conditions = [] }: Settings): string {
  if (confirm === "ask") return "asks always";
  const held = Object.entries(Object(roles)).flatMap(([key, one]) =>
    memberOf(one, "role") === "content" ? [] : [key],
  );
  const values = Array.isArray(conditions) ? conditions.map((one) => String(memberOf(one, "say"))) : [];
  if (held.length + values.length > 0) return `asks if: ${[...held, ...values].join("; ")}`;
  return category === "read_only" ? "asks never" : "asks never; nothing that it takes must be the user's";
}
