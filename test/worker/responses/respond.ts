/** Requests to `POST /v1/responses`, and what a client reads of the replies. */
import { readSse } from "../../support/sse.ts";
import type { Gateway } from "../support/gateway.ts";
import type { Note } from "../support/script.ts";

export type Item = Readonly<Record<string, unknown>> & { readonly type: string; readonly id: string };

interface ResponseEvent {
  readonly type: string;
  readonly sequence_number: number;
  readonly output_index?: number;
  readonly item_id?: string;
  readonly item?: Item;
  readonly delta?: string;
  readonly response?: ResponseBody;
  readonly [member: string]: unknown;
}

interface ResponseBody {
  readonly id: string;
  readonly status: string;
  readonly output: readonly Item[];
  readonly usage: unknown;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly incomplete_details: unknown;
  readonly previous_response_id: string | null;
  readonly store: boolean;
  readonly toolgate: Note;
  readonly [member: string]: unknown;
}

export interface Responded {
  readonly http: number;
  readonly headers: Headers;
  readonly events: readonly ResponseEvent[];
  /** Of the last event that has one, or the body. */
  readonly response: ResponseBody;
  /** Of a request that was refused. */
  readonly error: { readonly code: string; readonly message: string; readonly param: string | null } | undefined;
  readonly output: readonly Item[];
  readonly text: string;
  readonly refusal: string;
  readonly calls: readonly Item[];
}

const CALLS = new Set(["function_call", "custom_tool_call", "computer_call"]);

export async function respond(
  gate: Gateway,
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
  key?: string,
): Promise<Responded> {
  const json = { model: "test-model", ...body };
  return readResponded(await gate.fetch("/v1/responses", { json, headers, ...(key ? { key } : {}) }));
}

export async function readResponded(reply: Response): Promise<Responded> {
  const streams = reply.headers.get("content-type")?.startsWith("text/event-stream") === true;
  const events = streams
    ? (await readSse(reply)).flatMap(({ event, json }) => {
        if (json === undefined) return [];
        const one = json as ResponseEvent;
        if (event !== one.type) throw new Error(`the event ${event} holds ${one.type}`);
        return [one];
      })
    : [];
  const response = (streams ? events.findLast((one) => one.response)?.response : await reply.json()) as ResponseBody;
  const output = response?.output ?? [];
  const parts = output.flatMap(({ type, content }) =>
    type === "message" ? (content as { type: string; text?: string; refusal?: string }[]) : [],
  );
  return {
    http: reply.status,
    headers: reply.headers,
    events,
    response,
    error: streams ? undefined : ((response.error as Responded["error"]) ?? undefined),
    output,
    text: parts.map(({ text = "" }) => text).join(""),
    refusal: parts.map(({ refusal = "" }) => refusal).join(""),
    calls: output.filter(({ type }) => CALLS.has(type)),
  };
}

export const typesOf = ({ events }: Responded): string[] => events.map(({ type }) => type);

/** What a client that reads deltas alone ends up with, item by item. */
export function fromDeltas({ events }: Responded): string[] {
  const items: string[] = [];
  for (const { type, output_index: index, delta } of events)
    if (type.endsWith(".delta") && index !== undefined) items[index] = (items[index] ?? "") + delta;
  return items;
}

export const functionTool = (name: string, parameters: unknown = { type: "object", properties: {} }) => ({
  type: "function",
  name,
  description: `Does ${name}`,
  parameters,
});

export const says = (content: unknown) => ({ type: "message", role: "user", content });
export const output = (callId: string, text = "done") => ({
  type: "function_call_output",
  call_id: callId,
  output: text,
});
