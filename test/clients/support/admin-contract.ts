/** The Admin API for policies as far as the commands use it, kept in memory: for answers that a gateway gives seldom. */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface AdminServer {
  readonly url: string;
  /** The policies in force, by tenant, as they were put. */
  readonly policies: Map<string, unknown>;
  /** Method, path and the headers that matter, of every request. */
  readonly requests: string[];
  /** Answers the next request of this method, in the place of the API. */
  answerNext(method: string, status: number, body: unknown): void;
  stop(): Promise<void>;
}

export const digestOf = (document: unknown): string =>
  createHash("sha256").update(JSON.stringify(document)).digest("hex");

export async function startAdminServer(key: string): Promise<AdminServer> {
  const policies = new Map<string, unknown>();
  const requests: string[] = [];
  const planned = new Map<string, { readonly status: number; readonly body: unknown }>();
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method = "", url = "", headers } = request;
    const condition = headers["if-match"] ?? headers["if-none-match"];
    requests.push([method, url, ...(condition === undefined ? [] : [condition])].join(" "));
    const answer = planned.get(method);
    planned.delete(method);
    if (answer) return send(response, answer.status, answer.body);
    if (headers.authorization !== `Bearer ${key}`)
      return refuse(response, 401, "invalid_api_key", "the API key is not valid");
    answerPolicy(policies, request, response, Buffer.concat(parts).toString("utf8"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    policies,
    requests,
    answerNext: (method, status, body) => void planned.set(method, { status, body }),
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function answerPolicy(
  policies: Map<string, unknown>,
  request: IncomingMessage,
  response: ServerResponse,
  text: string,
) {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://admin.test");
  const [, , , tenant = "", , wanted] = pathname.split("/");
  const current = policies.get(tenant);
  const version = current === undefined ? null : digestOf(current);
  if (request.method === "GET") {
    if (wanted !== undefined && wanted !== version) return refuse(response, 404, "not_found", "unknown version");
    const source = version === null ? "embedded" : "kv";
    const times = { created_at: version === null ? null : "2026-11-01T00:00:00.000Z", created_by: version && "key_1" };
    return send(response, 200, {
      object: "policy",
      tenant,
      version,
      source,
      ...times,
      document: current ?? {},
      warnings: [],
    });
  }
  const seen = request.headers["if-match"];
  const refused =
    seen === undefined ? request.headers["if-none-match"] === "*" && version !== null : seen !== `"${version}"`;
  if (refused) return refuse(response, 412, "policy_changed", `the version in force is \`${version}\``);
  const document: unknown = JSON.parse(text);
  const dryRun = searchParams.get("dry_run") === "true";
  if (!dryRun) policies.set(tenant, document);
  const update = { object: "policy.update", tenant, version: digestOf(document), previous: version, dry_run: dryRun };
  const category = { before: { category: "external" }, after: { category: "read_only" } };
  const tools = [{ tool: "look", ...category, effects: [] }];
  const changes = { tools, intents: [], modes: [], settings: [], truncated: false };
  send(response, 200, { ...update, changes, warnings: [{ path: "/audit/retentionDays", message: "is not in force" }] });
}

function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  send(response, status, { error: { message, type: "invalid_request_error", code, param: null } });
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}
