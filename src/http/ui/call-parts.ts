/**
 * Calls in a UI message stream. Mutable, one per reply.
 *
 * A page runs a call as soon as it gets it. So a call that waits for a person is sent as `providerExecuted`, and sent anew, without
 * that, when it is released.
 */
import { type JsonObject, objectsIn } from "../../lib/json/json-value.ts";
import type { ReportedRun } from "../../ports/reply-port.ts";
import type { Ending, ToolgateNote } from "../../ports/turns/ending.ts";
import { type ReleasedCall, vendorMembers } from "../../wire/call-parts.ts";
import { dataEvent } from "../../wire/write-event.ts";
import type { OpenPart } from "./ui-messages.ts";
import type { UiStream } from "./ui-stream.ts";

interface CallParts {
  /** Calls that the person refused: once the reply begins, the turn has taken the answers. */
  denied(): string;
  released(ending: Extract<Ending, { kind: "answer" }>, spoken: boolean): string;
  ran(run: ReportedRun): string;
  /** Calls that are pending now. */
  questions(note: ToolgateNote): string;
  /** Calls that a person approved, and the rules refused in the end. */
  refused(note: ToolgateNote): string;
}

/**
 * @param open calls of the message that the reply continues.
 * @param known names of the tools that the client brought: parts of others are dynamic ones.
 */
export function callParts(
  stream: UiStream,
  open: ReadonlyMap<string, OpenPart>,
  known: ReadonlySet<string>,
): CallParts {
  /** Calls that a person has answered, and whose parts do not show the outcome yet. */
  const answered = new Map([...open].filter(([, { state }]) => state === "approval-responded"));
  const begun = (id: string, tool: string, input: unknown): JsonObject => ({
    type: "tool-input-available",
    toolCallId: id,
    toolName: tool,
    input,
    ...((open.get(id)?.dynamic ?? !known.has(tool)) ? { dynamic: true } : {}),
  });
  const call = ({ id, tool, arguments: args, extra }: ReleasedCall): string => {
    const vendor = vendorMembers(extra);
    const more = vendor ? { providerMetadata: { toolgate: vendor } } : {};
    return dataEvent({ ...begun(id, tool, JSON.parse(args)), providerExecuted: false, ...more });
  };
  const question = (approval: JsonObject): string => {
    const { id, call_id: callId, tool, arguments: input } = approval;
    const part = open.get(String(callId));
    answered.delete(String(callId));
    const isShown = part?.approval === id;
    if (isShown && part?.state === "approval-requested") return "";
    const request = { type: "tool-approval-request", approvalId: id, toolCallId: callId, reason: approval.question };
    return (
      (isShown
        ? ""
        : stream.step() + dataEvent({ ...begun(String(callId), String(tool), input), providerExecuted: true })) +
      dataEvent({ ...request, approvalDescriptor: approval })
    );
  };
  return {
    denied() {
      const denied = [...answered].filter(([, { approved }]) => approved === false);
      for (const [id] of denied) answered.delete(id);
      return denied.map(([toolCallId]) => dataEvent({ type: "tool-output-denied", toolCallId })).join("");
    },
    released({ calls, lines, step }, spoken) {
      // Approved calls belong to no step: they are in the message already, and are updated in place.
      const inPlace = step || stream.inStep ? [] : calls.filter(({ id }) => answered.has(id));
      const others = calls.filter((one) => !inPlace.includes(one));
      if (!step) for (const { id } of calls) answered.delete(id);
      let out = inPlace.map(call).join("");
      if (lines !== undefined) out += stream.text(spoken ? `\n\n${lines}` : lines, inPlace.length === 0);
      if (others.length > 0) out += stream.step() + others.map(call).join("");
      return out;
    },
    ran(run) {
      const { id, callId, tool, arguments: input } = run;
      const outcome = { ...outcomeOf(run), providerExecuted: true };
      if (answered.delete(callId)) return dataEvent({ ...outcome, toolCallId: callId });
      // Not by the model's own id: such ids repeat, and the SDK would take one part for the other.
      const began = dataEvent({ ...begun(id, tool, input), dynamic: true, providerExecuted: true });
      return stream.step() + began + dataEvent({ ...outcome, toolCallId: id });
    },
    questions: ({ approvals }) =>
      objectsIn(approvals)
        .filter(({ channel }) => channel === "native")
        .map(question)
        .join(""),
    refused({ decisions }) {
      return [...answered.keys()]
        .map((toolCallId) => {
          const decision = objectsIn(decisions).findLast(
            ({ call_id: id, effect }) => id === toolCallId && effect === "deny",
          );
          const [reason] = objectsIn(decision?.reasons);
          const errorText = typeof reason?.message === "string" ? reason.message : "it was not done";
          return dataEvent({ type: "tool-output-error", toolCallId, errorText, providerExecuted: true });
        })
        .join("");
    },
  };
}

/** Not the result itself: a managed tool's result is for the model, as on every surface. */
function outcomeOf({ status, failure, ms }: ReportedRun): JsonObject {
  if (status === "succeeded") return { type: "tool-output-available", output: { status, ms } };
  return { type: "tool-output-error", errorText: failure === null ? status : `${status}: ${failure}` };
}
