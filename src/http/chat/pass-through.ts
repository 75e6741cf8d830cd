/**
 * OpenAI's routes in which no model calls a tool (models, embeddings, images, sound): to the upstream and back, body and status
 * unchanged.
 */
import type { Context } from "hono";
import type { Deps } from "../../deps.ts";
import { parseObject } from "../../lib/json/json-value.ts";
import { log } from "../../lib/log.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { readText } from "../../model/relay/body-reader.ts";
import { keyRefusal, refusesOwnKey } from "../../model/relay/key-refusal.ts";
import { startUpstreamDeadline, type UpstreamDeadline } from "../../model/upstream/time-limit.ts";
import {
  type Attempt,
  type AttemptTarget,
  headersFor,
  isOfProvider,
  orderFor,
  tryUpstreams,
  type Upstreams,
} from "../../model/upstream/upstreams.ts";
import type { AppEnv } from "../app-env.ts";
import { readLargeBody } from "../large-body.ts";
import { badRequest, type Problem, problemResponse, upstreamFailed } from "../problem.ts";
import { clientUpstreamKey, upstreamHeaders } from "../surface/upstream-headers.ts";

/** @param path below the upstream's base URL, with a leading slash. */
export async function passThrough(c: Context<AppEnv>, path: string, deps: Deps): Promise<Result<Response, Problem>> {
  const request = c.req.raw;
  const { upstream: upstreams } = deps;
  const own = clientUpstreamKey(request.headers, deps.access.clientUpstreamKeys);
  if (!own.ok) return own;
  const headers: Record<string, string> = { ...upstreamHeaders(request.headers, deps.passHeaders), ...own.value };
  const type = request.headers.get("content-type");
  if (type) headers["content-type"] = type;
  // `fetch` throws on a GET with a body: it would look as if no upstream could be reached, and all of them would be marked as
  // failing.
  const body = request.method === "POST" && request.body ? await readLargeBody(c, deps) : undefined;
  if (body && !body.ok) return body;
  const other = body && modelOfProvider(upstreams, body.value);
  if (other !== undefined) return err(providerForbidden(other));
  const passed: PassedRequest = {
    path: `${path}${new URL(request.url).search}`,
    method: request.method,
    headers,
    body: body?.value,
    signal: request.signal,
  };
  // Another model's vectors are not comparable: text that was embedded with the first upstream stays with it.
  const numbered = orderFor(upstreams, headers);
  if (numbered.length === 0) return err(NO_UPSTREAM);
  const order = path === "/embeddings" ? numbered.filter(({ index }) => index === 0) : numbered;
  const tried = await tryUpstreams(upstreams, order, request.signal, (target) => attempt(upstreams, passed, target));
  if (tried.kind === "aborted") return ok(new Response(null, { status: 499 }));
  const response = tried.kind === "done" ? tried.value.response : tried.reply;
  const { index, attempts } = tried.kind === "done" ? tried.value.target : tried.target;
  response.headers.set("x-toolgate-upstream", String(index + 1));
  response.headers.set("x-toolgate-upstream-attempts", String(attempts));
  return ok(response);
}

/** The model of a JSON body, if it belongs to a named provider: the content would reach another company. */
function modelOfProvider(upstreams: Upstreams, body: ArrayBuffer): string | undefined {
  if (!upstreams.targets.some(({ provider }) => provider)) return undefined;
  const { model } = parseObject(new TextDecoder().decode(body)) ?? {};
  return typeof model === "string" && isOfProvider(upstreams, model) ? model : undefined;
}

const providerForbidden = (model: string): Problem =>
  badRequest(
    "model",
    `\`${model.slice(0, 100)}\` is a provider's, and this route goes to \`UPSTREAM_BASE_URL\` alone: name a model of that one`,
    "model_not_found",
  );

const NO_UPSTREAM: Problem = {
  status: 404,
  type: "invalid_request_error",
  code: "model_not_found",
  message: "this gateway has providers by name alone, and they are asked for chats: set `UPSTREAM_BASE_URL` for more",
};

interface PassedRequest {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ArrayBuffer | undefined;
  readonly signal: AbortSignal;
}

/** UTF-16 units of an error's body, which is held while another attempt is made. */
const MAX_ERROR = 1024 * 1024;

async function attempt(
  upstreams: Upstreams,
  { path, method, headers, body, signal }: PassedRequest,
  target: AttemptTarget,
): Promise<Attempt<{ readonly response: Response; readonly target: AttemptTarget }, Response>> {
  const watch = startUpstreamDeadline(upstreams.limits, signal, false);
  try {
    const asking = upstreams.fetch(`${upstreams.targets[target.index]?.baseUrl}${path}`, {
      method,
      headers: headersFor(upstreams, target.index, headers),
      body,
      signal: watch.signal,
      redirect: "manual",
    });
    watch.onEnd(() => asking.then((late) => late.body?.cancel()).catch(() => {}));
    const response = await watch.race(asking);
    watch.answered("idle");
    if (response.ok) return { kind: "done", value: { response: relayedResponse(response, watch), target } };
    const { status, headers: answered } = response;
    const reply =
      status < 400
        ? problemResponse(upstreamFailed(`the upstream answered ${status} (a redirect is not followed)`))
        : refusal(response, await readText(response, MAX_ERROR, watch), headers, target);
    watch.stop();
    return { kind: "failed", failure: { kind: "answered", status, headers: answered }, reply };
  } catch (error) {
    watch.stop();
    const { expired } = watch;
    if (expired) {
      const reply = problemResponse(upstreamFailed(expired.message, 504, expired.error.code));
      return { kind: "failed", failure: { kind: "timeout" }, reply };
    }
    const cause = error instanceof Error ? error.message : "unknown cause";
    const reply = problemResponse(upstreamFailed(`the upstream could not be reached: ${cause}`));
    return { kind: "failed", failure: { kind: "unreachable" }, reply };
  }
}

/** Passes on an upstream's error, unless it is about the gateway's own key. */
function refusal(
  { status, headers }: Response,
  text: string,
  sent: PassedRequest["headers"],
  { index }: AttemptTarget,
): Response {
  if (!refusesOwnKey(status, text, Object.hasOwn(sent, "authorization")))
    return new Response(text, { status, headers: forwardedHeaders(headers) });
  log("error", "upstream_key_refused", { upstream: index + 1, status });
  const { error, ...init } = keyRefusal(status, index + 1);
  return Response.json({ error }, init);
}

function relayedResponse({ status, headers, body }: Response, watch: UpstreamDeadline): Response {
  if (!body) watch.stop();
  return new Response(body && watchedBody(body, watch), { status, headers: forwardedHeaders(headers) });
}

/**
 * Headers that do not go to the client: the connection's own, lengths of an encoding that was undone, cookies of the upstream, its
 * CORS headers (the gateway sends its own), and the account of the gateway's key.
 */
const HOP =
  /^(connection|keep-alive|transfer-encoding|content-encoding|content-length|set-cookie2?|alt-svc|server|access-control-.*|openai-organization|openai-project)$/;

const forwardedHeaders = (headers: Headers): Headers => new Headers([...headers].filter(([name]) => !HOP.test(name)));

/** Only the upstream is waited for: while the client does not read, nothing is read from the upstream. */
function watchedBody(body: ReadableStream<Uint8Array>, watch: UpstreamDeadline): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  watch.onEnd((reason) => reader.cancel(reason).catch(() => {}));
  watch.pause();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        watch.resume();
        try {
          const { done, value } = await reader.read();
          watch.signal.throwIfAborted();
          if (!done) controller.enqueue(value);
          else {
            watch.stop();
            controller.close();
          }
        } catch (error) {
          watch.stop();
          controller.error(error);
        }
        watch.pause();
      },
      cancel(reason) {
        watch.stop();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
