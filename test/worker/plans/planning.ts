/** A CRM and a mail service that plans work with, a planning model that is scripted, and what a client makes of the answers. */
import { readSse } from "../../support/sse.ts";
import type { Gateway, GatewayOptions } from "../support/gateway.ts";
import { says } from "../support/script.ts";
import { type Asked, type Host, managed, type World } from "../tools/managed.ts";

const text = { type: "string" };
const object = (properties: Record<string, unknown>, required: readonly string[] = []) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const post = (path: string, more: object = {}) => ({
  kind: "http",
  url: `https://crm.test/${path}`,
  retries: 0,
  ...more,
});

/** `fetch_entity` is trusted and `search_web` is not; `send_email` asks; `read_clipboard` is the client's. */
export const tools = {
  fetch_entity: {
    category: "read_only",
    trusted: true,
    description: "Fetch entities of the CRM",
    parameters: object({ operation: text, entityType: text, filters: { type: "object" } }, ["entityType"]),
    run: post("fetch"),
  },
  search_web: {
    category: "read_only",
    description: "Search the web",
    parameters: object({ query: text }, ["query"]),
    run: post("search"),
  },
  send_email: {
    category: "modification",
    description: "Send an e-mail",
    parameters: object({ to: text, subject: text, body: text, copies: { type: "integer", minimum: 1, default: 1 } }, [
      "to",
      "subject",
    ]),
    redact: ["body"],
    run: post("send"),
  },
  create_calendar_event: {
    category: "modification",
    confirm: "auto",
    description: "Create an event",
    parameters: object(
      {
        title: text,
        startTime: text,
        duration: { type: "integer", minimum: 5 },
        attendees: { type: "array", items: text },
      },
      ["title", "startTime"],
    ),
    run: post("events"),
  },
  read_clipboard: {
    category: "read_only",
    description: "Read the clipboard",
    parameters: object({ format: text }),
  },
};

export const policy = (more: object = {}, own: object = {}) => ({
  handshake: { select: "off" },
  roles: ["guest", "user", "admin"],
  tools: { ...tools, ...own },
  ...more,
});

export const step = (id: string, tool: string, input: object) => ({
  id,
  intent: `do ${id}`,
  tool,
  arguments: { input },
});

/** Both of the reference's plans of several steps. */
export const proposal = [
  step("find_lead", "fetch_entity", { operation: "fetch", entityType: "Lead", filters: {} }),
  step("send_proposal_email", "send_email", {
    to: "{{find_lead.result.data[0].email}}",
    subject: "{{PLACEHOLDER_subject}}",
    body: "{{PLACEHOLDER_body}}",
  }),
];
export const salesReport = [
  step("find_john", "fetch_entity", { operation: "fetch", entityType: "Contact", filters: { name: "John" } }),
  step("send_email", "send_email", {
    to: "{{find_john.result.data[0].email}}",
    subject: "Sales Report",
    body: "{{PLACEHOLDER_email_body}}",
  }),
];

export const plans = (steps: readonly object[]) => says({ text: JSON.stringify({ plan: steps }) });

const services: Host = ({ path }) => {
  if (path === "crm.test/fetch") return { data: [{ id: 7, email: "lead@acme.test" }] };
  if (path === "crm.test/search") return { hits: [{ mail: "evil@web.test" }] };
  return { done: true };
};

/** @param steps what the planning model answers. */
export function planned(steps: readonly object[], options: GatewayOptions = {}, host: Host = services): Promise<World> {
  return managed({ policy: policy(), upstream: plans(steps), ...options }, host);
}

type Json = Record<string, unknown>;

interface ToldStep extends Json {
  readonly id: string;
  readonly status: string;
  readonly asks?: readonly string[];
  readonly approval_id: string | null;
  readonly error: { readonly code: string } | null;
}

export interface ToldPlan extends Json {
  readonly id: string;
  readonly status: string;
  readonly digest: string;
  readonly steps: readonly (ToldStep & { readonly tries: number })[];
  readonly approved: Json | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly placeholders: readonly (Json & { readonly name: string; readonly required: boolean })[];
}

interface ToldEvent {
  readonly type: string;
  readonly sequence_number: number;
  readonly step?: ToldStep;
  readonly plan?: ToldPlan;
  readonly approval?: Json & { readonly id: string };
  readonly tool_call?: {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  };
  readonly waits_for?: string;
  readonly reasons?: readonly { readonly code: string }[];
  readonly error?: { readonly code: string; readonly message: string };
}

export interface Ran {
  readonly status: number;
  readonly headers: Headers;
  readonly events: readonly ToldEvent[];
  /** `step_finished find_lead`, … */
  readonly outline: readonly string[];
  readonly last: ToldEvent | undefined;
  readonly plan: ToldPlan;
  readonly done: boolean;
  readonly error: { readonly code: string; readonly message: string; readonly param: string | null } | undefined;
}

export async function make(gate: Gateway, body: Json = {}, headers: Record<string, string> = {}): Promise<ToldPlan> {
  const response = await gate.fetch("/v1/plans", {
    json: { input: "please do it", model: "test-model", ...body },
    headers,
  });
  const made = (await response.json()) as ToldPlan;
  if (response.status !== 201) throw new Error(`no plan was made: ${JSON.stringify(made)}`);
  return made;
}

export async function run(
  gate: Gateway,
  { id }: { readonly id: string },
  body: Json = {},
  { headers = {}, key }: { readonly headers?: Record<string, string>; readonly key?: string } = {},
): Promise<Ran> {
  return readRun(await gate.fetch(`/v1/plans/${id}/run`, { json: body, headers, ...(key ? { key } : {}) }));
}

export async function readRun(response: Response): Promise<Ran> {
  const { status, headers } = response;
  const streams = headers.get("content-type")?.startsWith("text/event-stream") === true;
  const sent = streams ? await readSse(response) : [];
  const body = streams ? {} : ((await response.json()) as Json);
  const events = streams
    ? sent.flatMap(({ json }) => (json === undefined ? [] : [json as ToldEvent]))
    : ((body.events ?? []) as readonly ToldEvent[]);
  const last = events.at(-1);
  return {
    status,
    headers,
    events,
    outline: events.map(({ type, step: of }) => (of ? `${type} ${of.id}` : type)),
    last,
    plan: (last?.plan ?? body.plan) as ToldPlan,
    done: sent.at(-1)?.data === "[DONE]",
    error: (body.error ?? last?.error) as Ran["error"],
  };
}

export async function get(gate: Gateway, { id }: { readonly id: string }): Promise<ToldPlan> {
  return (await (await gate.fetch(`/v1/plans/${id}`)).json()) as ToldPlan;
}

export async function send(gate: Gateway, path: string, json: Json = {}, key?: string) {
  const response = await gate.fetch(path, { json, ...(key ? { key } : {}) });
  return { status: response.status, body: (await response.json()) as Json & { readonly error?: Ran["error"] } };
}

export const approveCall = (gate: Gateway, id: string, answer: Json = { action: "approve" }) =>
  send(gate, `/v1/approvals/${id}`, answer);

export const bodiesOf = (asked: readonly Asked[], path: string): unknown[] =>
  asked.filter((one) => one.path === `crm.test/${path}`).map(({ body }) => body);
