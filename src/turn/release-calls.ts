/** Handing calls to the client: what it never saw of them is kept, and the turn ends. Changes the turn. */
import { unaskedLine } from "../approvals/unasked-line.ts";
import { redactArguments } from "../lib/redact.ts";
import { traitsOf } from "../policy/traits.ts";
import { discloseFor } from "./disclose-for.ts";
import type { Ended, Ending } from "./ending.ts";
import { keepExchanges } from "./keep-exchanges.ts";
import type { Arguments } from "./read-arguments.ts";
import type { Turn } from "./turn.ts";
import type { VettedCall } from "./vet-step.ts";

/** @param step the model's own, whose calls they are; undefined for calls that have waited for a person. */
export function releaseCalls(turn: Turn, step: Ended | undefined, released: readonly VettedCall[]): Ending {
  keepExchanges(
    turn,
    released.map(({ call }) => call.id),
    turn.waiting,
  );
  const calls = released.map(({ call, arguments: args }) => ({
    id: call.id,
    tool: call.name,
    arguments: args,
    extra: call.extra,
  }));
  const lines = unaskedLines(turn, released);
  return { kind: "answer", stopReason: "completed", step, calls, ...(lines === "" ? {} : { lines }) };
}

/** What runs without being asked about is told, where the policy says so. */
function unaskedLines(turn: Turn, released: readonly VettedCall[]): string {
  const { policy, request } = turn.input;
  if (!policy.confirmation.discloseUnasked || request.jsonMode) return "";
  return released
    .filter(({ answered }) => !answered)
    .map(({ call, arguments: args }) => {
      const traits = traitsOf(policy, call.name);
      const shown = redactArguments(JSON.parse(args) as Arguments, traits.redact);
      return unaskedLine(discloseFor(turn, traits, shown, [], []));
    })
    .join("  \n");
}
