/** workerd killed between a person's answer and the release of what it allows, and while a reply is held. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import OpenAI from "openai";
import type { ChatCompletion, ChatCompletionMessageParam, ChatCompletionTool } from "openai/resources/chat/completions";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { killWorkerd, type Points, startPoints } from "../support/killing.ts";
import { callsTools, type ScriptedUpstream, says, startUpstream } from "../support/upstream.ts";
import { type Gateway, startGateway } from "../support/worker.ts";

const policy = {
  handshake: { select: "off" },
  confirmation: { timeoutSeconds: 600 },
  tools: { edit_note: { category: "modification" } },
};
const title = { type: "object", properties: { title: { type: "string" } } };
const tools: ChatCompletionTool[] = [{ type: "function", function: { name: "edit_note", parameters: title } }];
const edits = callsTools({ name: "edit_note", arguments: { title: "Gadamer" } });
const hi: ChatCompletionMessageParam[] = [{ role: "user", content: "change my note" }];

let folder: string;
let upstream: ScriptedUpstream;
let points: Points;
let gateway: Gateway;
let key: string;
let admin: string;

beforeAll(async () => {
  upstream = await startUpstream();
  points = await startPoints();
});
afterAll(async () => {
  await upstream?.stop();
  await points?.stop();
});
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "toolgate-killed-approvals-"));
  points.hold(undefined);
  gateway = await start();
  key = await gateway.key({ policy });
  admin = await gateway.key({ role: "admin", tenantOf: key });
});
afterEach(async () => {
  points.hold(undefined);
  await gateway?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const start = () =>
  startGateway({
    upstream: upstream.url,
    entry: "test/worker/upstream/stopping-worker.ts",
    folder,
    settings: { POINTS: points.url },
  });

async function killAndStart(): Promise<void> {
  await killWorkerd(points);
  await gateway.stop();
  gateway = await start();
}

/** Not retried by itself: the test says when. */
const chat = (messages: ChatCompletionMessageParam[], channel: "inline" | "hold"): Promise<ChatCompletion> =>
  new OpenAI({ baseURL: gateway.baseURL, apiKey: key, maxRetries: 0 }).chat.completions.create(
    { model: "gpt", messages, tools },
    { headers: { "x-toolgate-session": "s", "x-toolgate-approvals": channel } },
  );
const lost = (reply: Promise<unknown>) => reply.catch(() => "gone");

async function api<T>(path: string, { as = key, body }: { as?: string; body?: object } = {}): Promise<T> {
  const response = await fetch(`${gateway.baseURL}${path}`, {
    method: body ? "POST" : "GET",
    headers: { authorization: `Bearer ${as}`, "content-type": "application/json" },
    body: body && JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}

interface Listed {
  readonly data: readonly Record<string, unknown>[];
}

/** The id of the only call that waits, as soon as there is one. */
async function waiting(): Promise<string> {
  await expect
    .poll(async () => (await api<Listed>("/approvals?status=pending")).data.length, { timeout: 20_000 })
    .toBe(1);
  return String((await api<Listed>("/approvals?status=pending")).data[0]?.id);
}

const approve = (id: string) => api(`/approvals/${id}`, { body: { action: "approve" } });
const callsOf = ({ choices }: ChatCompletion) => choices[0]?.message.tool_calls ?? [];

/** The call is in the trail once, its approval too, and the chain verifies. */
async function expectOnce(): Promise<void> {
  const released = async () =>
    (await api<Listed>("/audit/decisions?order=asc", { as: admin })).data.filter(
      ({ disposition }) => disposition === "released",
    ).length;
  await expect.poll(released, { timeout: 20_000 }).toBe(1);
  await expect
    .poll(() => api("/audit/verify?user=ada", { as: admin }), { timeout: 20_000 })
    .toMatchObject({ ok: true, waiting: 0 });
  const events = (await api<Listed>("/audit/approvals?order=asc", { as: admin })).data.map(({ event }) => event);
  expect(events).toEqual(["asked", "approved"]);
  expect(await released()).toBe(1);
}

it("between the answer and its release: whoever goes on gets the call, once", async () => {
  upstream.script(edits);
  const asked = (await chat(hi, "inline")).choices[0]?.message as ChatCompletionMessageParam;
  await approve(await waiting());
  await killAndStart();
  upstream.script(says("Nothing waits."));
  const yes: ChatCompletionMessageParam[] = [...hi, asked, { role: "user", content: "continue" }];
  const calls = callsOf(await chat(yes, "inline"));
  expect(calls).toMatchObject([{ function: { name: "edit_note", arguments: '{"title":"Gadamer"}' } }]);
  // The very same request is a retry, another yes is not.
  expect(callsOf(await chat(yes, "inline"))).toEqual(calls);
  expect(callsOf(await chat([...hi, asked, { role: "user", content: "yes!" }], "inline"))).toEqual([]);
  await expectOnce();
});

it("once it is released, before the reply: the same request gets it, once", async () => {
  upstream.script(edits);
  const asked = (await chat(hi, "inline")).choices[0]?.message as ChatCompletionMessageParam;
  points.hold("decided");
  const yes: ChatCompletionMessageParam[] = [...hi, asked, { role: "user", content: "yes" }];
  const reply = lost(chat(yes, "inline"));
  await points.held();
  await killAndStart();
  expect(await reply).toBe("gone");
  upstream.script();
  const calls = callsOf(await chat(yes, "inline"));
  expect(calls).toMatchObject([{ function: { name: "edit_note" } }]);
  expect(upstream.requests).toEqual([]);
  await expectOnce();
});

it("while a reply is held: asked again it is held again, and gets the call", async () => {
  upstream.script(edits);
  const reply = lost(chat(hi, "hold"));
  const id = await waiting();
  await killAndStart();
  expect(await reply).toBe("gone");
  upstream.script();
  const again = chat(hi, "hold");
  expect(await waiting()).toBe(id);
  await approve(id);
  expect(callsOf(await again)).toMatchObject([{ function: { name: "edit_note" } }]);
  expect(upstream.requests).toEqual([]);
  await expectOnce();
});

it("while a held reply takes what was approved: asked again it gets the same call", async () => {
  upstream.script(edits);
  const reply = lost(chat(hi, "hold"));
  const id = await waiting();
  points.hold("decided");
  await approve(id);
  await points.held();
  await killAndStart();
  expect(await reply).toBe("gone");
  upstream.script();
  expect(callsOf(await chat(hi, "hold"))).toMatchObject([{ function: { name: "edit_note" } }]);
  expect(upstream.requests).toEqual([]);
  await expectOnce();
});
