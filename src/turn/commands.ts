/** What a user can write to the gateway itself, in any frontend. */
import type { Ending } from "./ending.ts";
import { factsOf, offerFor } from "./offer-step.ts";
import { stateOf, type Turn } from "./turn.ts";

export type Command = "reset" | "status";

export function readCommand(message: string | undefined): Command | undefined {
  const match = /^\s*\/toolgate\s+(reset|status)\s*$/i.exec(message ?? "");
  return match?.[1]?.toLowerCase() as Command | undefined;
}

/** The gateway's answer to a command, or undefined for any other message. */
export function answerCommand(turn: Turn, now: number): Ending | undefined {
  const command = readCommand(turn.input.conversation.newMessage);
  if (!command) return undefined;
  const text =
    command === "reset"
      ? "Toolgate: the session is reset. No intent is held, and the mode is the default."
      : statusText(turn, now);
  return { kind: "stop", stopReason: "completed", finishReason: "stop", text };
}

function statusText(turn: Turn, now: number): string {
  const { principal, policy } = turn.input;
  const offer = offerFor(turn, factsOf(turn, now));
  const withheld = offer.withheld.map(
    ({ name, reasons }) => `${name} (${reasons.map((reason) => reason.code).join(", ")})`,
  );
  return [
    `Toolgate: session ${turn.opened.session}`,
    `state: ${stateOf(turn)}; intent: ${turn.intents.join(", ") || "none"}; mode: ${turn.mode}; role: ${principal.role}`,
    `detected: ${turn.opened.detected.join(", ") || "nothing"}`,
    `policy: ${policy.name ?? "unnamed"} (${policy.version.slice(0, 12)})`,
    `offered: ${offer.offered.map((tool) => tool.name).join(", ") || "none"}${offer.handshake ? `, and ${offer.handshake.name}` : ""}`,
    `withheld: ${withheld.join(", ") || "none"}`,
  ].join("\n");
}
