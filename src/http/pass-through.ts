/** `GET /v1/models` and `POST /v1/embeddings`: to the upstream and back, body and status as they are. */
import type { Deps } from "../deps.ts";
import { notFound, problemResponse, upstreamFailed } from "./problem.ts";
import { readBody } from "./request-body.ts";
import { upstreamHeaders } from "./turn-headers.ts";
import { clientUpstreamKey } from "./upstream-key.ts";

/**
 * `GET /v1/models/:model`.
 * @param model decoded, so what was `%2F` or `%3F` is a slash or a question mark: sent on as it is, `../files` would
 * read any path of the upstream with the gateway's key.
 */
export async function passModel(request: Request, model: string, deps: Deps): Promise<Response> {
  const segments = model.split("/");
  if (segments.some((segment) => segment === "" || segment === "." || segment === ".."))
    return problemResponse(notFound("model"));
  return passThrough(request, `/models/${segments.map(inPath).join("/")}`, deps);
}

/** A colon is part of many model ids and means nothing in a path, but not every server decodes it. */
const inPath = (segment: string): string => encodeURIComponent(segment).replaceAll("%3A", ":");

/** @param path below the upstream's base URL, with a leading slash. */
export async function passThrough(request: Request, path: string, deps: Deps): Promise<Response> {
  const { upstream } = deps;
  const own = clientUpstreamKey(request.headers, deps.access.clientUpstreamKeys);
  if (!own.ok) return problemResponse(own.error);
  if (!upstream) return withoutUpstream(path, deps);
  const headers = new Headers(upstreamHeaders(request.headers));
  const type = request.headers.get("content-type");
  if (type) headers.set("content-type", type);
  const authorization = own.value ?? (upstream.apiKey && `Bearer ${upstream.apiKey}`);
  if (authorization) headers.set("authorization", authorization);
  const body = request.body ? await readBody(request, deps.limits.maxBodyBytes) : undefined;
  if (body && !body.ok) return problemResponse(body.error);
  try {
    const url = `${upstream.baseUrl.replace(/\/+$/, "")}${path}${new URL(request.url).search}`;
    const response = await upstream.fetch(url, {
      method: request.method,
      headers,
      body: body?.value,
      signal: request.signal,
      redirect: "manual",
    });
    if (response.status >= 300 && response.status < 400)
      return problemResponse(upstreamFailed(`the upstream answered ${response.status} (a redirect is not followed)`));
    const answer = new Response(response.body, { status: response.status });
    for (const [name, value] of response.headers) if (!HOP.test(name)) answer.headers.set(name, value);
    return answer;
  } catch (error) {
    return problemResponse(
      upstreamFailed(`the upstream could not be reached: ${error instanceof Error ? error.message : "unknown cause"}`),
    );
  }
}

/**
 * Not for the client: connection's own, lengths of an encoding that was undone, cookies of the upstream, its word on
 * who may read the answer (that is ours to say), and whose account the gateway's key belongs to.
 */
const HOP =
  /^(connection|keep-alive|transfer-encoding|content-encoding|content-length|set-cookie2?|alt-svc|server|access-control-.*|openai-organization|openai-project)$/;

function withoutUpstream(path: string, deps: Deps): Response {
  if (path !== "/models")
    return problemResponse(notFound("embedding model: the demo model has none, set UPSTREAM_BASE_URL"));
  const created = Math.floor(deps.now() / 1000);
  return Response.json({
    object: "list",
    data: [{ id: "toolgate-demo", object: "model", created, owned_by: "toolgate" }],
  });
}
