/** `GET /v1/models` and `POST /v1/embeddings`: to the upstream and back, body and status as they are. */
import type { Deps } from "../deps.ts";
import { notFound, problemResponse, upstreamFailed } from "./problem.ts";
import { upstreamHeaders } from "./turn-headers.ts";

/** @param path below the upstream's base URL, with a leading slash. */
export async function passThrough(request: Request, path: string, deps: Deps): Promise<Response> {
  const { upstream } = deps;
  if (!upstream) return withoutUpstream(path, deps);
  const headers = new Headers(upstreamHeaders(request.headers));
  const type = request.headers.get("content-type");
  if (type) headers.set("content-type", type);
  if (upstream.apiKey) headers.set("authorization", `Bearer ${upstream.apiKey}`);
  try {
    const url = `${upstream.baseUrl.replace(/\/+$/, "")}${path}${new URL(request.url).search}`;
    const response = await upstream.fetch(url, {
      method: request.method,
      headers,
      body: request.body,
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

/** Not for the client: connection's own, cookies of the upstream, lengths of an encoding that was undone. */
const HOP = /^(connection|keep-alive|transfer-encoding|content-encoding|content-length|set-cookie|alt-svc|server)$/;

function withoutUpstream(path: string, deps: Deps): Response {
  if (path !== "/models")
    return problemResponse(notFound("embedding model: the demo model has none, set UPSTREAM_BASE_URL"));
  const created = Math.floor(deps.now() / 1000);
  return Response.json({
    object: "list",
    data: [{ id: "toolgate-demo", object: "model", created, owned_by: "toolgate" }],
  });
}
