/** How a turn ends. The reply's adapter encodes it. */
import type { JsonObject } from "../../lib/json/json-value.ts";
import type { ReleasedCall } from "../../wire/call-parts.ts";
import type { StepOutcome } from "../model-port.ts";

export type StopReason =
  | "completed"
  | "tool_policy_blocked"
  | "intent_execution_failed"
  | "awaiting_approval"
  | "step_limit"
  | "upstream_error"
  | "aborted"
  /** The request cannot be served (a `tool_choice` that the rules withhold): the reply is a 400. */
  | "request_refused"
  /** The gateway failed: the reply is a 503, and nothing was released. */
  | "gateway_error";

export type EndedStep = Extract<StepOutcome, { kind: "ended" }>;

export type Ending =
  /** The model's answer, with the calls that are released. `step` is undefined if a retry gets its calls again. */
  | {
      readonly kind: "answer";
      readonly stopReason: "completed";
      readonly step: EndedStep | undefined;
      readonly calls: readonly ReleasedCall[];
      /** The gateway's own text before the calls: what runs unasked. */
      readonly lines?: string;
    }
  /** The gateway's own text, after whatever was streamed. */
  | {
      readonly kind: "stop";
      readonly stopReason: StopReason;
      readonly finishReason: "stop" | "length";
      /** Empty: the reply's data says it all. */
      readonly text: string;
      /** The model's text of the last step, which comes first if nothing was streamed. */
      readonly words?: string;
    }
  /** No clean end: a status if nothing was sent yet, an error event otherwise. */
  | {
      readonly kind: "error";
      readonly stopReason: "upstream_error" | "aborted" | "request_refused" | "gateway_error";
      readonly status: number;
      readonly headers: Headers | undefined;
      /** OpenAI's error object. */
      readonly error: unknown;
      /** The body as the upstream sent it, if it has OpenAI's form. */
      readonly body?: string;
      /** Which upstream failed, and after how many attempts; as in `UpstreamHead`. */
      readonly upstream?: number | string;
      readonly attempts?: number;
    };

/** Whether the reply keeps the text of its last step. */
export const keepsWords = (ending: Ending | undefined): boolean =>
  ending?.kind === "answer" || ending?.stopReason === "awaiting_approval";

/** Whether the client comes back with calls of the turn, so that the task goes on. */
export const callsComeBack = (ending: Ending): boolean =>
  ending.kind === "answer" ? ending.calls.length > 0 : ending.stopReason === "awaiting_approval";

/** The gateway itself ends the turn, with text of its own. */
export const stopEnding = (stopReason: StopReason, text: string): Extract<Ending, { kind: "stop" }> => ({
  kind: "stop",
  stopReason,
  finishReason: "stop",
  text,
});

/** The end of a turn without text of its own. */
export const silentEnding = (stopReason: StopReason): Ending => stopEnding(stopReason, "");

/** OpenAI's error object for a fault of the upstream. */
export const upstreamFault = (message: string, code: string) => ({
  message,
  type: "upstream_error",
  code,
  param: null,
});

/** @param error the provider's own error object, if it sent one. */
export function errorEnding(
  status: number,
  message: string,
  code: string,
  error?: unknown,
): Extract<Ending, { kind: "error" }> {
  const reported = error || upstreamFault(message, code);
  return { kind: "error", stopReason: "upstream_error", status, headers: undefined, error: reported };
}

/** A fault of the request, or of the gateway itself. */
export function requestFault(status: number, message: string, code: string, param: string | null): Ending {
  const type = status >= 500 ? "server_error" : "invalid_request_error";
  return {
    kind: "error",
    stopReason: status >= 500 ? "gateway_error" : "request_refused",
    status,
    headers: undefined,
    error: { message, type, code, param },
  };
}

/** The object `toolgate` of a reply. */
export type ToolgateNote = JsonObject;
