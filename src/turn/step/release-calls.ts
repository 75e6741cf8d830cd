/** Handing calls to the client: what it never saw of them is kept, and the turn ends. Changes the turn. */
import type { Ended, Ending } from "../ending.ts";
import { storeExchanges } from "../history/hidden-history.ts";
import { unaskedLines } from "../runs/unasked-lines.ts";
import type { Turn } from "../turn.ts";
import type { VettedCall } from "./vet-step.ts";

/** @param step the model's own, whose calls they are; undefined for calls that have waited for a person. */
export function releaseCalls(turn: Turn, step: Ended | undefined, released: readonly VettedCall[]): Ending {
  storeExchanges(
    turn,
    released.map(({ call }) => call.id),
    turn.log.waiting,
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
