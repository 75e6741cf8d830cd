/** A CRM and a weather service that the gateway itself calls, scripted. */
import type { Env } from "../../../src/deps.ts";
import { type Gateway, type GatewayOptions, gateway } from "../support/gateway.ts";
import type { Note } from "../support/script.ts";

const object = (properties: Record<string, unknown>, required: readonly string[] = []) => ({
  type: "object",
  properties,
  required,
});
const text = { type: "string" };

const http = (method: string, url: string, more: object = {}) => ({ kind: "http", method, url, retries: 0, ...more });

/** `find_lead` is trusted, `weather` is not; `create_lead` asks; `purge` is nobody's here. */
export const tools = {
  find_lead: {
    category: "read_only",
    trusted: true,
    description: "Find a lead",
    parameters: object({ name: text }, ["name"]),
    run: http("GET", "https://crm.test/leads/{{arguments.name}}"),
  },
  weather: {
    category: "read_only",
    description: "Tell the weather",
    parameters: object({ city: text }),
    run: http("GET", "https://weather.test/now"),
  },
  create_lead: {
    category: "modification",
    trusted: true,
    description: "Create a lead",
    parameters: object({ name: text, owner: text }, ["name", "owner"]),
    redact: ["secret"],
    undo: "delete_lead",
    run: http("POST", "https://crm.test/leads", { system: { owner: "user.id" } }),
  },
  delete_lead: {
    category: "modification",
    confirm: "auto",
    trusted: true,
    parameters: object({ id: text }, ["id"]),
    run: http("DELETE", "https://crm.test/leads/{{arguments.id}}"),
  },
  purge: { category: "read_only", roles: ["admin"], run: http("GET", "https://crm.test/purge") },
  read_file: { category: "read_only" },
};

export const policy = (more: object = {}) => ({
  handshake: { select: "off" },
  // Where each message stands is easier to read without the tags: `marked-results.test.ts` looks at them.
  results: { mark: false },
  roles: ["guest", "user", "admin"],
  tools,
  ...more,
});

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

export type Host = (asked: Asked, request: Request) => unknown | Promise<unknown>;

export interface World {
  readonly gate: Gateway;
  /** What the tools' servers were asked. */
  readonly asked: Asked[];
}

const answers: Host = ({ method, path }) => (method === "POST" ? { id: "7" } : { path, note: "as it is" });

/** @param host answers for the tools' servers; what it gives is sent as JSON unless it is a response. */
export async function managed(options: GatewayOptions, host: Host = answers): Promise<World> {
  const asked: Asked[] = [];
  const variables = (tenant: string): Partial<Env> => ({
    TOOL_DNS: "off",
    ...(typeof options.variables === "function" ? options.variables(tenant) : options.variables),
  });
  const gate = await gateway({
    policy: policy(),
    ...options,
    variables,
    elsewhere: async (request) => {
      const url = new URL(request.url);
      const body = request.method === "POST" ? await request.clone().json() : undefined;
      const one = { method: request.method, path: `${url.host}${url.pathname}${url.search}`, body };
      asked.push(one);
      const answer = await host(one, request);
      return answer instanceof Response ? answer : Response.json(answer);
    },
  });
  return { gate, asked };
}

/** Resolves for all of them once so many have come: none goes on alone. */
export function together(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let come = 0;
  return () => {
    come += 1;
    if (come === count) resolve();
    return promise;
  };
}

export interface RunTold {
  readonly call_id: string;
  readonly tool: string;
  readonly arguments: unknown;
  readonly status: string;
}

export const runsOf = (note: Note): readonly RunTold[] => (note as Note & { runs?: readonly RunTold[] }).runs ?? [];

export const tell = { "x-toolgate-runs": "tell" };

/** The audit trail's runs, oldest first. Ask for its turns before: that delivers it. */
export async function runsIn(gate: Gateway): Promise<Record<string, unknown>[]> {
  const key = await gate.keyFor("auditor", "admin");
  const { data } = (await (await gate.fetch("/v1/audit/runs?order=asc", { key })).json()) as {
    data: Record<string, unknown>[];
  };
  return data.sort((a, b) => Number(a.seq) - Number(b.seq));
}
