/** The status of the conversation as text: state, intents, offered and withheld tools. Pure. */
import { visible } from "../../lib/text/visible-text.ts";
import type { ChatReply } from "./ask-gateway.ts";
import type { Style } from "./style.ts";

export function statusLine({ note, ms }: ChatReply, style: Style): string {
  const {
    state = "unknown",
    intent,
    intents = intent ? [intent] : [],
    offered = [],
    withheld = [],
    decisions = [],
  } = note;
  const stopped =
    note.stop_reason === undefined || note.stop_reason === "completed" ? [] : [note.stop_reason.replaceAll("_", " ")];
  const parts = [
    state,
    ...(intents.length > 0 ? [intents.join(", ")] : []),
    // A person's answer was carried out: the model was not called.
    ...(offered.length + withheld.length > 0 || decisions.length === 0 ? [`offered ${offered.length}`] : []),
    ...(withheld.length > 0 ? [`withheld ${withheld.length} (/why)`] : []),
    ...stopped,
    `${ms} ms`,
  ];
  return style.paint("dim", visible(parts.join(style.unicode ? " · " : " - ")));
}

/** The output of `/why`: every tool, and the reasons against it. */
export function offerLines({ note }: ChatReply): readonly string[] {
  const { offered = [], withheld = [], decisions = [] } = note;
  const refused = decisions.filter(({ effect }) => effect === "deny");
  return [
    offered.length === 0 ? "The model was offered no tools." : `Offered: ${offered.join(", ")}`,
    ...withheld.map(({ name, reasons }) => `Withheld: ${name} (${reasons.join(", ")})`),
    ...refused.map(({ tool, reasons }) => `Refused: ${tool} (${reasons.map(({ code }) => code).join(", ")})`),
  ].map(visible);
}
