/** Errors as JSON-RPC has them: on `/mcp` every answer with a body is a message of the protocol. */
import type { MiddlewareHandler } from "hono";
import type { Deps } from "../../deps.ts";
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import type { AppEnv } from "../app-env.ts";
import { docsOf, type Problem } from "../problem.ts";
import { metadataHint } from "./protected-resource.ts";

/** JSON-RPC's own codes; every other problem is the server's. */
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const INVALID_PARAMS = -32602;
export const SERVER_ERROR = -32000;

/** An error within the protocol. */
export interface RpcFault {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonObject;
}

export const rpcFault = ({ message, type, code }: Pick<Problem, "message" | "type" | "code">): RpcFault => ({
  code: SERVER_ERROR,
  message,
  data: { type, code, docs: docsOf(code) },
});

type RequestId = string | number | null;

export const rpcError = (status: number, error: RpcFault, id: RequestId = null): Response =>
  Response.json({ jsonrpc: "2.0", id, error }, { status });

export function rpcProblem(problem: Problem, id: RequestId = null): Response {
  const response = rpcError(problem.status, rpcFault(problem), id);
  for (const [name, value] of Object.entries(problem.headers ?? {})) response.headers.set(name, value);
  return response;
}

/** For requests that were refused before the route was reached: authentication and rate limits. */
export const asRpcErrors =
  (deps: Deps): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    await next();
    const { status, headers } = c.res;
    const hint = status === 401 ? metadataHint(c.req.raw, deps) : undefined;
    if (hint !== undefined) headers.set("www-authenticate", `${headers.get("www-authenticate") ?? "Bearer"}, ${hint}`);
    if (status < 400 || !headers.get("content-type")?.includes("application/json")) return;
    const body: unknown = await c.res.clone().json();
    if (!isObject(body) || body.jsonrpc !== undefined || !isObject(body.error)) return;
    const { message, ...data } = body.error;
    const error = { code: SERVER_ERROR, message, data };
    c.res = new Response(JSON.stringify({ jsonrpc: "2.0", id: null, error }), { status, headers });
  };
