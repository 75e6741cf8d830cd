/** Reports an attempt at a provider of the AI SDK that failed before anything was sent, in OpenAI's error shape. Pure. */
import { AISDKError, APICallError } from "@ai-sdk/provider";
import { isObject } from "../../lib/json/json-value.ts";
import type { StepOutcome } from "../../ports/model-port.ts";
import { errorObject } from "../../wire/error-object.ts";
import { failedWith } from "../relay/relay-attempt.ts";
import { UpstreamRefusal } from "../relay/upstream-answer.ts";
import type { StepAttempt } from "../upstream/step-attempt.ts";
import type { UpstreamDeadline } from "../upstream/time-limit.ts";
import { disorderOf } from "./sdk-outcome.ts";
import { DisorderlyStream } from "./stream-fault.ts";
import { UnsupportedRequest } from "./unsupported-request.ts";

export function failureOf(error: unknown, watch: UpstreamDeadline): StepAttempt {
  if (watch.expired || watch.signal.aborted) return failedWith(error, watch);
  if (error instanceof UpstreamRefusal) return refusedAttempt(error);
  const disorder = [error, isObject(error) ? error.cause : undefined].find((one) => one instanceof DisorderlyStream);
  if (disorder) return { kind: "done", value: disorderOf({ fault: { detail: disorder.message }, names: [] }) };
  // The answer was `200`, and its first event an error.
  if (APICallError.isInstance(error)) {
    const { statusCode = 502, responseBody = "{}", message } = error;
    const status = statusCode < 400 ? 502 : statusCode;
    return answered(status, errorIn(responseBody, message), new Headers(error.responseHeaders));
  }
  if (error instanceof UnsupportedRequest) return badRequest(error.message, error.param);
  // The SDK's own error, such as a medium that the provider does not take.
  return AISDKError.isInstance(error) ? badRequest(error.message, null) : failedWith(error, watch);
}

function refusedAttempt(error: UpstreamRefusal): StepAttempt {
  const { outcome, failure } = error;
  if (outcome.kind !== "refused" || failure.kind !== "answered") return failedWith(error, NOT_EXPIRED);
  // Google answers 400 if the gateway's own key is wrong.
  const status = outcome.status === 400 && outcome.body.includes('"API_KEY_INVALID"') ? 401 : outcome.status;
  const reported = errorIn(outcome.body, `the upstream answered ${status}`);
  return answered(status, reported, failure.headers, status === outcome.status ? failure.status : status);
}

export const NOT_EXPIRED = { expired: undefined } as UpstreamDeadline;

/** @param real the provider's status, if the client gets another. */
function answered(status: number, error: unknown, headers: Headers, real = status): StepAttempt {
  const reply: StepOutcome = { kind: "refused", status, headers, body: JSON.stringify({ error }) };
  return { kind: "failed", failure: { kind: "answered", status: real, headers }, reply };
}

/** The provider's own error. Anthropic has it under `error` too; Google writes its type as `status`. */
function errorIn(text: string, fallback: string): unknown {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  const error = isObject(body) && isObject(body.error) ? body.error : body;
  const { status, details: _details, ...rest } = isObject(error) ? error : {};
  return errorObject({ ...(typeof status === "string" ? { type: status } : {}), ...rest }, fallback);
}

function badRequest(message: string, param: string | null): StepAttempt {
  const error = { message, type: "invalid_request_error", code: "unsupported_parameter", param };
  return answered(400, error, new Headers());
}
