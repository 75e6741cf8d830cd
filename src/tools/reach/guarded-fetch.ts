/**
 * The only way to a third party's server: the URL is judged, its host is resolved, its addresses are judged; time and bytes are bounded, and
 * no redirect leads elsewhere.
 */
import { type Deadline, startDeadline } from "../../lib/deadline.ts";
import { hostOf } from "../../lib/host.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { RunFailure } from "../run.ts";
import { judgeAddress, judgeRedirect, judgeUrl, type ReachBounds } from "./judge-url.ts";
import type { Resolver } from "./resolver.ts";

export interface ReachParts {
  readonly fetch: typeof fetch;
  /** Undefined if the settings switch it off: names are then judged only by their spelling. */
  readonly resolver: Resolver | undefined;
  /** The gateway runs for development: `allowPrivate` counts. */
  readonly dev: boolean;
  readonly now: () => number;
}

export interface ReachRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body?: string | undefined;
}

export interface ReachRule extends ReachBounds {
  /** The URL in the policy, templates and all: names the host. */
  readonly policyUrl: string;
  readonly maxResponseBytes: number;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  /** Fires when no client waits for the answer any more; absent: the request goes on without one. */
  readonly signal?: AbortSignal | undefined;
}

export interface ReachFault {
  readonly failure: RunFailure;
  /** For a person; holds no argument and no secret. */
  readonly detail: string;
  /** Whether something may have reached the server. */
  readonly sent: boolean;
  /** Status of the answer, if there was one. */
  readonly status?: number;
}

/** An answer whose body is bounded: reading it throws a `BodyFault`. It must be read to its end, or cancelled. */
type FetchResult = Result<Response, ReachFault>;

const MAX_REDIRECTS = 3;

/** Never rejects. */
export async function guardedFetch(parts: ReachParts, request: ReachRequest, rule: ReachRule): Promise<FetchResult> {
  const time = startDeadline(rule.deadline - parts.now(), rule.signal);
  // An exception of the runtime about a strange answer is the server's fault too.
  const reached = await follow(parts, request, rule, time).catch(() => err(faultOf(time, "the server")));
  // Otherwise the timer belongs to the body: it is read within the same time.
  if (!reached.ok || reached.value.body === null) time.stop();
  return reached;
}

async function follow(parts: ReachParts, request: ReachRequest, rule: ReachRule, time: Deadline): Promise<FetchResult> {
  const host = hostOf(rule.policyUrl);
  if (host === undefined) return err({ failure: "host_forbidden", detail: "the URL names no host", sent: false });
  let { url } = request;
  for (let hop = 0; ; hop++) {
    const judged = await judge(parts, url, host, rule, time);
    if (!judged.ok) return err({ ...judged.error, sent: hop > 0 });
    let response: Response;
    try {
      const { method, headers, body } = request;
      const init: RequestInit = { method, headers, redirect: "manual", signal: time.signal };
      response = await time.race(parts.fetch(url, body === undefined ? init : { ...init, body }));
    } catch {
      return err(faultOf(time, judged.value.host));
    }
    const redirect = judgeRedirect(request.method, judged.value, response, hop < MAX_REDIRECTS);
    if (redirect.kind === "none") return ok(bounded(response, rule.maxResponseBytes, time));
    response.body?.cancel().catch(() => {});
    if (redirect.kind === "refused") {
      const { status } = response;
      return err({ failure: "redirect_forbidden", detail: redirect.detail, sent: true, status });
    }
    url = redirect.url;
  }
}

async function judge(
  { resolver, dev }: ReachParts,
  text: string,
  host: string,
  rule: ReachRule,
  time: Deadline,
): Promise<Result<URL, Omit<ReachFault, "sent">>> {
  const bounds = { allowHosts: rule.allowHosts, allowPrivate: rule.allowPrivate && dev };
  const judged = judgeUrl(text, host, bounds);
  if (!judged.ok) return judged;
  const { url, name } = judged.value;
  // Names of the machine itself are in no public DNS.
  if (name === undefined || !resolver || (bounds.allowPrivate && /(^|\.)localhost$/.test(name))) return ok(url);
  const resolved = await time.race(resolver.resolve(name, time.signal)).catch(() => undefined);
  if (resolved === undefined) return err(faultOf(time, url.host));
  if (!resolved.ok) return err({ failure: "address_forbidden", detail: resolved.error });
  for (const address of resolved.value) {
    const refusal = judgeAddress(name, address, bounds);
    if (refusal) return err(refusal);
  }
  return ok(url);
}

function faultOf({ ended }: Deadline, host: string): ReachFault {
  if (ended === "timeout")
    return { failure: "timeout", detail: `${host} did not answer within the time limit`, sent: true };
  if (ended === "cancelled") return { failure: "cancelled", detail: "who asked went away", sent: true };
  // Without the runtime's own words: they may cite the address.
  return { failure: "unavailable", detail: `${host} could not be reached`, sent: true };
}

function bounded(response: Response, maxBytes: number, time: Deadline): Response {
  const { status, statusText, body } = response;
  const headers = new Headers(response.headers);
  // Headers about the bytes as they were sent; the runtime has decompressed them.
  headers.delete("content-encoding");
  headers.delete("content-length");
  return new Response(body && boundedBody(body, maxBytes, time), { status, statusText, headers });
}

/** Why a body was not read to its end. */
export class BodyFault extends Error {
  readonly failure: RunFailure;

  constructor(failure: RunFailure, detail: string) {
    super(detail);
    this.failure = failure;
  }
}

/** The same bytes; errors with a `BodyFault`. The server's body is cancelled as soon as nothing more of it is wanted. */
function boundedBody(body: ReadableStream<Uint8Array>, maxBytes: number, time: Deadline): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let read = 0;
  const leave = (reason: unknown): void => {
    time.stop();
    reader.cancel(reason).catch(() => {});
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await time.race(reader.read());
        if (done) {
          time.stop();
          controller.close();
          return;
        }
        read += value.byteLength;
        if (read > maxBytes) throw new BodyFault("too_large", `the answer is longer than ${maxBytes} bytes`);
        controller.enqueue(value);
      } catch (error) {
        const fault = bodyFaultOf(error, time);
        leave(fault);
        controller.error(fault);
      }
    },
    cancel: leave,
  });
}

function bodyFaultOf(error: unknown, { ended }: Deadline): BodyFault {
  if (error instanceof BodyFault) return error;
  if (ended === "timeout") return new BodyFault("timeout", "the answer did not end within the time limit");
  if (ended === "cancelled") return new BodyFault("cancelled", "who asked went away before the answer had ended");
  return new BodyFault("unavailable", "the answer broke off");
}
