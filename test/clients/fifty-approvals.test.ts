/** Fifty calls that wait, answered at once from two windows whose clients retry: each runs at most once. */
import OpenAI, { APIError } from "openai";
import type { ChatCompletion, ChatCompletionTool } from "openai/resources/chat/completions";
import { expect, it } from "vitest";
import type { AskedCall } from "./support/frontend.ts";
import { scriptedGateway } from "./support/scripted-gateway.ts";
import { callsTools, says } from "./support/upstream.ts";

const scripted = scriptedGateway();

const policy = { handshake: { select: "off" }, tools: { edit_note: { category: "modification" } } };
const parameters = { type: "object", properties: { n: { type: "integer" } } };
const tools: ChatCompletionTool[] = [{ type: "function", function: { name: "edit_note", parameters } }];
const headers = { "x-toolgate-session": "s", "x-toolgate-approvals": "native" };
const numbers = Array.from({ length: 50 }, (_, n) => n);
const fifty = callsTools(...numbers.map((n) => ({ name: "edit_note", arguments: { n } })));

interface Window {
  readonly key: string;
  send(approvals?: readonly object[]): Promise<ChatCompletion>;
}

/**
 * As a client comes: it retries what was refused for the moment.
 * @param seed tells its requests from the other window's; the very same request is a retry, whoever sends it.
 */
function openWindow(key: string, seed: number): Window {
  const client = new OpenAI({ baseURL: scripted.gateway.baseURL, apiKey: key, maxRetries: 3 });
  const messages = [{ role: "user" as const, content: "renumber my notes" }];
  return {
    key,
    send: (approvals) => {
      const body = { model: "gpt", messages, tools, seed, ...(approvals ? { toolgate: { approvals } } : {}) };
      return client.chat.completions.create(body, { headers });
    },
  };
}

const asked = (reply: ChatCompletion) =>
  (reply as unknown as { toolgate: { approvals: readonly AskedCall[] } }).toolgate.approvals;

/** The numbers of the calls in these replies: what their windows run. */
const numbersIn = (replies: readonly (ChatCompletion | undefined)[]): number[] =>
  replies.flatMap((reply) =>
    (reply?.choices[0]?.message.tool_calls ?? []).map((call) =>
      call.type === "function" ? (JSON.parse(call.function.arguments) as { n: number }).n : -1,
    ),
  );

/** A window that came too late is told so. */
const orLate = (reply: Promise<ChatCompletion>): Promise<ChatCompletion | undefined> =>
  reply.catch((error: unknown) => {
    if (!(error instanceof APIError)) throw error;
    expect([error.status, error.code]).toEqual([409, "approval_settled"]);
    return undefined;
  });

async function releasedOf(key: string): Promise<unknown[]> {
  const admin = await scripted.gateway.key({ role: "admin", tenantOf: key });
  const read = async (path: string) =>
    (await (
      await fetch(`${scripted.gateway.baseURL}/audit/${path}`, { headers: { authorization: `Bearer ${admin}` } })
    ).json()) as { data: Record<string, unknown>[]; has_more: boolean };
  await expect.poll(() => read("verify?user=ada"), { timeout: 30_000 }).toMatchObject({ ok: true, waiting: 0 });
  const ids: unknown[] = [];
  for (let after = "", more = true; more; ) {
    const { data, has_more } = await read(`decisions?order=asc&limit=50${after}`);
    ids.push(...data.filter(({ disposition }) => disposition === "released").map(({ call_id: id }) => id));
    after = `&after=${data.at(-1)?.id}`;
    more = has_more;
  }
  return ids;
}

async function askFifty(): Promise<{ readonly windows: readonly Window[]; readonly calls: readonly AskedCall[] }> {
  const key = await scripted.gateway.key({ policy });
  const windows = [openWindow(key, 1), openWindow(key, 2)];
  scripted.upstream.script(fifty, says("Done."), says("Done."));
  const calls = asked((await windows[0]?.send()) as ChatCompletion);
  expect(calls.length).toBe(50);
  return { windows, calls };
}

it("each in a request of its own, in the body", async () => {
  const { windows, calls } = await askFifty();
  const replies = await Promise.all(
    windows.flatMap((window) => calls.map(({ id }) => orLate(window.send([{ id, action: "approve" }])))),
  );
  expect(numbersIn(replies).sort((a, b) => a - b)).toEqual(numbers);
  const released = await releasedOf((windows[0] as Window).key);
  expect([released.length, new Set(released).size, scripted.upstream.requests.length]).toEqual([50, 50, 1]);
});

it("all by the API, and taken up in one request of each window", async () => {
  const { windows, calls } = await askFifty();
  const statuses = await Promise.all(
    windows.flatMap(({ key }) =>
      calls.map(async ({ id }) => {
        const init = { method: "POST", body: JSON.stringify({ action: "approve" }) };
        const own = { authorization: `Bearer ${key}`, "content-type": "application/json" };
        return (await fetch(`${scripted.gateway.baseURL}/approvals/${id}`, { ...init, headers: own })).status;
      }),
    ),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  const all = calls.map(({ id }) => ({ id }));
  const replies = await Promise.all(
    windows.map((window, which) => orLate(window.send(which === 0 ? all : all.toReversed()))),
  );
  expect(numbersIn(replies).sort((a, b) => a - b)).toEqual(numbers);
  const released = await releasedOf((windows[0] as Window).key);
  expect([released.length, new Set(released).size, scripted.upstream.requests.length]).toEqual([50, 50, 1]);
});

it("the very same requests twice, as retries come: both get the same calls, released once", async () => {
  const { windows, calls } = await askFifty();
  const twin = windows[0] as Window;
  const replies = await Promise.all(
    [1, 2].flatMap(() => calls.map(({ id }) => orLate(twin.send([{ id, action: "approve" }])))),
  );
  expect([...new Set(numbersIn(replies))].sort((a, b) => a - b)).toEqual(numbers);
  const released = await releasedOf(twin.key);
  expect([released.length, new Set(released).size, scripted.upstream.requests.length]).toEqual([50, 50, 1]);
});
