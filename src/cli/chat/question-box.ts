/**
 * A call that waits for a person, as the person reads it. Source: reference/human-centered-tool-calling.md, "CLI Output". Pure.
 *
 * The gateway has made every value in `details` visible; all other values are made visible here.
 */

import type { ApprovalView } from "../../api-views/approval-views.ts";
import type { Consequence } from "../../approvals/disclosure/disclosed.ts";
import { durationText } from "../../lib/text/time-text.ts";
import { shownJson, visible } from "../../lib/text/visible-text.ts";
import { packed, type Section } from "./box.ts";
import type { Style } from "./style.ts";

export interface QuestionKey {
  readonly key: "y" | "n" | "e" | "a" | "v" | "?";
  readonly label: string;
}

/** The possible answers to this call. */
export function keysOf({ editable, grantable, asks, endorsable }: ApprovalView): readonly QuestionKey[] {
  const lasting = asks.includes("first_use") ? "Yes, and enable it" : "Always, in this session";
  return [
    { key: "y", label: "Proceed" },
    { key: "n", label: "Cancel" },
    ...(editable ? ([{ key: "e", label: "Edit" }] as const) : []),
    ...(grantable || asks.includes("first_use") ? ([{ key: "a", label: lasting }] as const) : []),
    ...(endorsable ? ([{ key: "v", label: `Yes, and use the values of ${endorsable.tool}` }] as const) : []),
    { key: "?", label: "More" },
  ];
}

interface QuestionSettings {
  readonly style: Style;
  readonly now: number;
  /** `[1/3]` */
  readonly place?: string | undefined;
}

export function questionSections(approval: ApprovalView, settings: QuestionSettings): readonly Section[] {
  const { style } = settings;
  return [headOf(approval, settings), bodyOf(approval, style), keyLines(keysOf(approval), style)];
}

function headOf(
  { tool, details, code, expires_at: expires }: ApprovalView,
  { style, now, place }: QuestionSettings,
): Section {
  const left = Date.parse(expires) - now;
  const marks = [place, code].filter((mark) => mark != null).join(" ");
  const category = (details.category ?? "unknown").toUpperCase();
  return [
    `Tool: ${style.paint("bold", visible(tool))}${marks === "" ? "" : style.paint("dim", `  ${marks}`)}`,
    `Category: ${style.paint(colours[category] ?? "yellow", category)}${
      Number.isFinite(left) ? style.paint("dim", `  expires in ${durationText(Math.max(left, 1), "en")}`) : ""
    }`,
  ];
}

const colours: Readonly<Record<string, "green" | "cyan" | "yellow" | "red">> = {
  READ_ONLY: "green",
  NOTE_TAKING: "cyan",
  MODIFICATION: "yellow",
  EXTERNAL: "red",
};

function bodyOf({ question, details }: ApprovalView, style: Style): Section {
  const { summary, effects, arguments: shown, more, changes } = details;
  return [
    style.paint("bold", visible(question)),
    ...(summary === "" ? [] : [visible(summary)]),
    ...(shown.length === 0 ? [] : ["", ...shown.map((one) => argumentLine(one, style))]),
    ...(more > 0 ? [style.paint("dim", `  … and ${more} more: [?] shows them`)] : []),
    ...(changes.length === 0 ? [] : ["", ...changes.map((line) => changeLine(line, style))]),
    ...(effects.length === 0 ? [] : ["", ...effects.map((effect) => effectLine(effect, style))]),
  ];
}

function argumentLine(one: ApprovalView["details"]["arguments"][number], style: Style): string {
  const name = `  ${style.paint("cyan", `${visible(one.name)}:`)} `;
  if (one.redacted) return `${name}${style.paint("dim", "hidden from you by the policy")}`;
  if (one.private) return `${name}${style.paint("dim", "private: [?] shows it")}`;
  const notes = [
    ...(one.escaped ? ["with escapes"] : []),
    ...(one.cut ? [`${one.cut.characters} characters, SHA-256 ${one.cut.sha256}…: [?] shows it whole`] : []),
  ];
  return `${name}${visible(one.value)}${notes.length === 0 ? "" : style.paint("dim", ` (${notes.join("; ")})`)}`;
}

function changeLine({ kind, text }: ApprovalView["details"]["changes"][number], style: Style): string {
  const shown = visible(text);
  if (kind === "same") return `    ${style.paint("dim", shown)}`;
  return kind === "added" ? `  ${style.paint("green", `+ ${shown}`)}` : `  ${style.paint("red", `- ${shown}`)}`;
}

const isWarning = ({ kind, text }: Consequence): boolean =>
  kind === "final" || kind === "suspicious" || text.startsWith("⚠");

const effectLine = (effect: Consequence, style: Style): string => {
  const text = visible(style.unicode ? effect.text : effect.text.replaceAll("⚠", "!"));
  return isWarning(effect) ? style.paint("yellow", text) : text;
};

const keyLines = (keys: readonly QuestionKey[], style: Style): Section =>
  packed(
    keys.map(({ key, label }) => `${style.paint("bold", `[${key.toUpperCase()}]`)} ${visible(label)}`),
    style.width - 4,
  );

/** The text of `[?]`: every value whole, the destination of data, and the policy's description of the tool. */
export function moreSections(
  { tool, details, arguments: args, reversible }: ApprovalView,
  style: Style,
): readonly Section[] {
  const { learn_more: learn, destination } = details;
  return [
    [`About ${style.paint("bold", visible(tool))}`],
    [
      visible(learn ?? "The policy has no more words about this tool."),
      ...(destination === null ? [] : [`Data goes to ${visible(destination)}.`]),
      reversible ? "It can be undone." : style.paint("yellow", "It cannot be undone."),
    ],
    ["The arguments, whole:", ...shownJson(JSON.stringify(args, null, 2)).text.split("\n")],
  ];
}

/** The same for a reader of lines, without a window. */
export function questionLines(approval: ApprovalView, settings: QuestionSettings): readonly string[] {
  const [head = [], body = []] = questionSections(approval, settings);
  const { code } = approval;
  const words = keysOf(approval).map(({ key }) => lineAnswers[key]);
  return [...head, ...body, `Answer for ${code ?? approval.id}: ${words.join(" | ")}`];
}

const lineAnswers: Readonly<Record<QuestionKey["key"], string>> = {
  y: "yes",
  n: "no[: reason]",
  e: "edit FIELD=VALUE",
  a: "always",
  v: "yes, use its values",
  "?": "learn more",
};
