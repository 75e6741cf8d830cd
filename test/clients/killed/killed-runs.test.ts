/**
 * workerd killed at every point of the ledger of managed calls, with a real tool behind it: the very same request, sent
 * again, runs nothing twice, and what nobody can know is told as unknown. All die in one death: a turn is held at each point.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import OpenAI from "openai";
import type { ChatCompletion, ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { afterAll, beforeAll, expect, it } from "vitest";
import { killWorkerd, type Points, startPoints } from "../support/killing.ts";
import { type Answer, callsTools, type ScriptedUpstream, says, startUpstream } from "../support/upstream.ts";
import { type Gateway, startGateway } from "../support/worker.ts";

/** What the user writes, which names the point; each has a tenant of its own. */
const places = ["deciding", "decided", "working", "finishing", "finished", "answering", "approved", "left"] as const;
type Place = (typeof places)[number];

interface Tools {
  readonly url: string;
  /** The names in the calls that arrived, in order. */
  readonly arrived: string[];
  /** The next call that names it is never answered. @returns once it is here. */
  hold(name: string): Promise<void>;
  stop(): Promise<void>;
}

async function startTools(): Promise<Tools> {
  const arrived: string[] = [];
  const held = new Map<string, PromiseWithResolvers<void>>();
  const server = createServer(async (request, response: ServerResponse) => {
    let text = "";
    for await (const part of request) text += String(part);
    const { to } = JSON.parse(text) as { readonly to: string };
    arrived.push(to);
    const waits = held.get(to);
    held.delete(to);
    if (waits) return waits.resolve();
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ sent: to }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/send`,
    arrived,
    hold(name) {
      const waits = Promise.withResolvers<void>();
      held.set(name, waits);
      return waits.promise;
    },
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const policyOf = (url: string, place: Place) => ({
  handshake: { select: "off" },
  confirmation: { timeoutSeconds: 600 },
  tools: {
    send_mail: {
      category: "modification",
      confirm: place === "approved" ? "ask" : "auto",
      description: "Sends a mail",
      parameters: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
      // Longer than it takes from the arrival of a call to the death; the ledger waits for it, and some seconds more.
      run: { kind: "http", url, timeout: "2s", allowPrivate: true },
    },
  },
});

let folder: string;
let upstream: ScriptedUpstream;
let tools: Tools;
let points: Points;
let gateway: Gateway;
const keys = new Map<Place, { readonly user: string; readonly admin: string }>();
const retried = new Map<Place, ChatCompletion>();
let frame: ChatCompletionMessageParam;

const start = () =>
  startGateway({
    upstream: upstream.url,
    entry: "test/worker/upstream/stopping-worker.ts",
    folder,
    settings: { POINTS: points.url },
  });

const conversationOf = (place: Place): ChatCompletionMessageParam[] =>
  place === "approved"
    ? [{ role: "user", content: place }, frame, { role: "user", content: "yes" }]
    : [{ role: "user", content: place }];

/** Not retried by itself: the test says when. */
const chat = (place: Place, messages = conversationOf(place)): Promise<ChatCompletion> =>
  new OpenAI({ baseURL: gateway.baseURL, apiKey: keys.get(place)?.user ?? "", maxRetries: 0 }).chat.completions.create(
    { model: "gpt", messages },
    { headers: { "x-toolgate-session": "s", "x-toolgate-runs": "tell" } },
  );

/** Which point the request to the model is of. */
const placeOf = (messages: readonly { readonly role: string; readonly content?: unknown }[]): string =>
  String(messages.find(({ role }) => role === "user")?.content);

/** Resolves once the model has heard of the outcome of `answering`, and says nothing. */
const heard = Promise.withResolvers<void>();

/** Calls the tool once, and says that it is done when it has heard of it; the first time of `answering` nothing. */
function model(): Answer {
  let silent = true;
  return (response, request) => {
    const { messages } = request.body;
    const place = placeOf(messages);
    if (messages.at(-1)?.role !== "tool") {
      return callsTools({ name: "send_mail", arguments: { to: place } })(response, request);
    }
    if (place === "answering" && silent) {
      silent = false;
      return heard.resolve();
    }
    says("It is done.")(response, request);
  };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "toolgate-killed-runs-"));
  [upstream, tools, points] = await Promise.all([startUpstream(), startTools(), startPoints()]);
  const answer = model();
  upstream.script(...Array<Answer>(40).fill(answer));
  gateway = await start();
  for (const place of places) {
    const user = await gateway.key({ policy: policyOf(tools.url, place) });
    keys.set(place, { user, admin: await gateway.key({ role: "admin", tenantOf: user }) });
  }
  const question = await chat("approved", [{ role: "user", content: "approved" }]);
  frame = question.choices[0]?.message as ChatCompletionMessageParam;

  const lost: Promise<unknown>[] = [];
  const leave = (place: Place) => lost.push(chat(place).catch(() => "gone"));
  for (const place of ["deciding", "decided", "finishing", "finished"] as const) {
    points.holdToo(place);
    leave(place);
    await points.held();
  }
  leave("answering");
  await heard.promise;
  const running = ["working", "approved", "left"] as const;
  const working = Promise.all(running.map((place) => tools.hold(place)));
  for (const place of running) leave(place);
  await working;
  await killWorkerd(points);
  await gateway.stop();
  expect(new Set(await Promise.all(lost))).toEqual(new Set(["gone"]));

  gateway = await start();
  const again = places.filter((place) => place !== "left");
  await Promise.all(again.map(async (place) => retried.set(place, await chat(place))));
});

afterAll(async () => {
  points?.hold(undefined);
  await gateway?.stop();
  await Promise.all([upstream?.stop(), tools?.stop(), points?.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

async function audit<T>(place: Place, path: string): Promise<T> {
  const response = await fetch(`${gateway.baseURL}/audit/${path}`, {
    headers: { authorization: `Bearer ${keys.get(place)?.admin}` },
  });
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}

type Rows = { readonly data: readonly Readonly<Record<string, unknown>>[] };

const done = { status: "succeeded", failure: null, http_status: 200 };
/** Told by the ledger, when its time was over: no worker was left to say more. */
const unknown = { status: "unknown", failure: null, detail: expect.stringContaining("no outcome"), http_status: null };

it.each<[Place, string, number, object, number]>([
  ["deciding", "before the decision: nothing was, and it is made and run", 1, done, 3],
  ["decided", "before the request leaves: it is not known that it did not", 0, unknown, 2],
  ["working", "while the tool works: it is not known whether it ended", 1, unknown, 2],
  ["finishing", "before the outcome is noted: nobody knows it any more", 1, unknown, 2],
  ["finished", "once the outcome is noted: the turn goes on from it", 1, done, 2],
  ["answering", "while the model hears of the outcome: it hears of it again", 1, done, 3],
  ["approved", "while what a person has approved runs: yes is no second yes", 1, unknown, 2],
])("%s, %s", async (place, _, arrivals, ended, asks) => {
  expect(tools.arrived.filter((name) => name === place)).toHaveLength(arrivals);

  // The reply, and what the model was told last.
  const reply = retried.get(place) as ChatCompletion & { readonly toolgate: { readonly runs: readonly object[] } };
  expect(reply.choices[0]).toMatchObject({ finish_reason: "stop", message: { content: "It is done." } });
  const { status } = ended as { readonly status: string };
  expect(reply.toolgate.runs).toMatchObject([{ tool: "send_mail", status }]);
  const told = upstream.requests.filter(({ body }) => placeOf(body.messages) === place);
  expect(told).toHaveLength(asks);
  const results = told.at(-1)?.body.messages.filter(({ role }) => role === "tool") ?? [];
  expect(results.map(({ content }) => content)).toEqual([
    expect.stringContaining(status === "unknown" ? "not known whether" : `"sent":"${place}"`),
  ]);

  // One decision to run it, one outcome, and nothing besides; the chain verifies.
  await expect.poll(() => audit(place, "verify?user=ada"), { timeout: 10_000 }).toMatchObject({ ok: true, waiting: 0 });
  const decisions = (await audit<Rows>(place, "decisions?order=asc")).data;
  const ran = decisions.filter(({ disposition }) => disposition === "run");
  expect(ran).toMatchObject([{ tool: "send_mail", effect: "allow", arguments: { to: place } }]);
  const runs = (await audit<Rows>(place, "runs")).data;
  expect(runs).toMatchObject([{ decision: ran[0]?.id, tool: "send_mail", executor: "http", ...ended }]);
  const trail = await audit<{ readonly decisions: readonly object[] }>(place, `turns/${ran[0]?.turn}`);
  expect(trail.decisions).toContainEqual(expect.objectContaining({ id: ran[0]?.id, run: runs[0] }));
  // Of the two tries one has come to its end.
  const turns = (await audit<Rows>(place, "turns")).data;
  expect(turns.filter(({ stop_reason }) => stop_reason === "completed")).toHaveLength(1);
});

it("left, and never asked for again: the ledger notes it by itself, once its time is over", async () => {
  // To ask is enough for the runtime to wake the object, which has its alarm still.
  const place = "left";
  const settled = async () => [await audit(place, "verify?user=ada"), (await audit<Rows>(place, "runs")).data];
  await expect
    .poll(settled, { timeout: 15_000 })
    .toMatchObject([{ ok: true, waiting: 0 }, [{ tool: "send_mail", ...unknown }]]);
  expect(tools.arrived.filter((name) => name === place)).toHaveLength(1);
});
