/**
 * workerd killed in the middle of plans: what was done is not done again, what nobody can know is told as unknown, and the plan
 * goes on from where it stood. All die in one death: a run is held at each point.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { killWorkerd, type Points, startPoints } from "../support/killing.ts";
import { type Answer, type ScriptedUpstream, says, startUpstream } from "../support/upstream.ts";
import { type Gateway, startGateway } from "../support/worker.ts";

/** What the user writes, which names the point; each has a tenant of its own. */
const places = [
  "begun",
  "deciding",
  "decided",
  "working",
  "finishing",
  "finished",
  "ending",
  "asked",
  "released",
] as const;
type Place = (typeof places)[number];

type Json = Readonly<Record<string, unknown>>;
interface Told {
  readonly status: string;
  readonly error: { readonly code: string } | null;
  readonly steps: readonly { readonly status: string; readonly tries: number; readonly approval_id: string | null }[];
  readonly plan: Told;
  readonly events: readonly { readonly type: string; readonly tool_call?: { readonly id: string } }[];
}

/** The titles that arrived, in order; `working` is not answered once. */
const arrived: string[] = [];
const worked = Promise.withResolvers<void>();
let holds = true;

async function startTools(): Promise<Server> {
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const part of request) text += String(part);
    const { title } = JSON.parse(text) as { readonly title: string };
    arrived.push(title);
    if (holds && title === "working") return worked.resolve();
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ id: `${title}-id` }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  return server;
}

const parameters = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };
const read = { type: "function", function: { name: "read_file", parameters } };

const policyOf = (url: string, place: Place) => ({
  handshake: { select: "off" },
  tools: {
    // What comes of neither is doubted: nobody is asked about it.
    read_file: { category: "read_only", trusted: true },
    save: {
      category: "modification",
      trusted: true,
      confirm: place === "asked" ? "ask" : "auto",
      parameters,
      // Longer than it takes from the arrival of a call to the death.
      run: { kind: "http", url, timeout: "20s", retries: 0, allowPrivate: true },
    },
  },
});

/** Two steps, the second with what the first brought. */
const plan: Answer = (response, request) => {
  const place = String(request.body.messages.find(({ role }) => role === "user")?.content);
  const tool = place === "released" ? "read_file" : "save";
  const step = (id: string, title: string, name = "save") => ({
    id,
    intent: id,
    tool: name,
    arguments: { input: { title } },
  });
  says(JSON.stringify({ plan: [step("one", place, tool), step("two", "after {{one.result.id}}")] }))(response, request);
};

let folder: string;
let upstream: ScriptedUpstream;
let tools: Server;
let points: Points;
let gateway: Gateway;
const keys = new Map<Place, { readonly user: string; readonly admin: string }>();
const ids = new Map<Place, string>();

const start = (settings: Readonly<Record<string, string>> = {}) =>
  startGateway({
    upstream: upstream.url,
    entry: "test/worker/upstream/stopping-worker.ts",
    folder,
    settings: { POINTS: points.url, ...settings },
  });

async function ask(place: Place, path: string, json?: Json, who: "user" | "admin" = "user") {
  const response = await fetch(`${gateway.baseURL}${path}`, {
    method: json ? "POST" : "GET",
    headers: { authorization: `Bearer ${keys.get(place)?.[who]}`, "content-type": "application/json" },
    ...(json ? { body: JSON.stringify(json) } : {}),
  });
  return { status: response.status, body: (await response.json()) as Told & { readonly data: readonly Json[] } };
}

const run = (place: Place, more: Json = {}) => ask(place, `/plans/${ids.get(place)}/run`, { stream: false, ...more });
const titlesOf = (place: Place): readonly string[] =>
  arrived.filter((title) => title === place || title === `after ${place}-id`);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "toolgate-killed-plans-"));
  [upstream, tools, points] = await Promise.all([startUpstream(), startTools(), startPoints()]);
  upstream.script(...Array<Answer>(places.length).fill(plan));
  const url = `http://127.0.0.1:${(tools.address() as AddressInfo).port}/save`;
  gateway = await start();
  for (const place of places) {
    const user = await gateway.key({ policy: policyOf(url, place) });
    keys.set(place, { user, admin: await gateway.key({ role: "admin", tenantOf: user }) });
    const made = await ask(place, "/plans", {
      input: place,
      model: "gpt",
      ...(place === "released" ? { tools: [read] } : {}),
    });
    expect(made).toMatchObject({ status: 201, body: { status: "ready" } });
    ids.set(place, (made.body as unknown as { readonly id: string }).id);
  }
  expect((await run("asked")).body.plan.status).toBe("paused");
  expect((await run("released")).body.plan.status).toBe("paused");

  const lost: Promise<unknown>[] = [];
  const leave = (place: Place) => lost.push(run(place).catch(() => "gone"));
  for (const place of ["begun", "deciding", "decided", "finishing", "finished", "ending"] as const) {
    points.holdToo(place);
    leave(place);
    await points.held();
  }
  leave("working");
  await worked.promise;
  await killWorkerd(points);
  await gateway.stop();
  expect(new Set(await Promise.all(lost))).toEqual(new Set(["gone"]));
  holds = false;
  // What the dead held, and the times of their runs, are over.
  gateway = await start({ AHEAD_MS: "120000" });
});

afterAll(async () => {
  points?.hold(undefined);
  await gateway?.stop();
  tools?.closeAllConnections();
  await Promise.all([upstream?.stop(), points?.stop(), new Promise((resolve) => tools?.close(resolve))]);
  rmSync(folder, { recursive: true, force: true });
});

/** The chain verifies, and every run that was entered has its one outcome. */
async function audited(place: Place, runs: readonly string[]): Promise<void> {
  const verified = async () => (await ask(place, "/audit/verify?user=ada", undefined, "admin")).body;
  await expect.poll(verified, { timeout: 10_000 }).toMatchObject({ ok: true, waiting: 0 });
  const { data } = (await ask(place, "/audit/runs?order=asc", undefined, "admin")).body;
  expect(data.map(({ status }) => status)).toEqual(runs);
}

it.each<[Place, string]>([
  ["begun", "before anything is decided"],
  ["deciding", "before the first decision"],
])("%s, %s: it is run from its beginning, once", async (place) => {
  expect((await run(place)).body.plan).toMatchObject({ status: "finished", steps: [{ tries: 1 }, { tries: 1 }] });
  expect(titlesOf(place)).toEqual([place, `after ${place}-id`]);
  await audited(place, ["succeeded", "succeeded"]);
});

it.each<[Place, string, number]>([
  ["decided", "before the request leaves", 0],
  ["working", "while the tool works", 1],
  ["finishing", "before the outcome is noted", 1],
])("%s, %s: it is not known, and run again only where that is asked for", async (place, _, before) => {
  expect(await run(place)).toMatchObject({ status: 409, body: { error: { code: "outcome_unknown" } } });
  expect(titlesOf(place)).toHaveLength(before);
  expect((await ask(place, `/plans/${ids.get(place)}`)).body).toMatchObject({
    status: "failed",
    steps: [{ status: "unknown" }, {}],
  });
  const again = await run(place, { repeat_unknown: true });
  expect(again.body.plan).toMatchObject({ status: "finished", steps: [{ tries: 2 }, { tries: 1 }] });
  expect(titlesOf(place)).toHaveLength(before + 2);
  await audited(place, ["unknown", "succeeded", "succeeded"]);
});

it("finished, once the outcome is noted: it goes on with the second step, and what the first brought", async () => {
  const { events, plan: after } = (await run("finished")).body;
  expect(events.map(({ type }) => type)).toEqual(["plan_generated", "step_started", "step_finished", "plan_finished"]);
  expect([after.status, titlesOf("finished")]).toEqual(["finished", ["finished", "after finished-id"]]);
  await audited("finished", ["succeeded", "succeeded"]);
});

it("ending, when all was done: it is finished, and nothing is done again", async () => {
  expect((await ask("ending", `/plans/${ids.get("ending")}`)).body.status).toBe("finished");
  expect(await run("ending")).toMatchObject({ status: 409, body: { error: { code: "plan_ended" } } });
  expect(titlesOf("ending")).toHaveLength(2);
});

it("asked: what was asked before is answered after, and goes on", async () => {
  const { steps } = (await ask("asked", `/plans/${ids.get("asked")}`)).body;
  expect(await ask("asked", `/approvals/${steps[0]?.approval_id}`, { action: "approve" })).toMatchObject({
    status: 200,
  });
  expect((await run("asked")).body.plan).toMatchObject({
    status: "paused",
    steps: [{ status: "succeeded" }, { status: "waiting" }],
  });
  expect(titlesOf("asked")).toEqual(["asked"]);
});

it("released: what was handed out before is brought after, and goes on", async () => {
  const told = (await run("released")).body.events.find(({ type }) => type === "call_released");
  const results = [{ tool_call_id: told?.tool_call?.id, content: '{"id":"released-id"}' }];
  expect((await run("released", { results })).body.plan.status).toBe("finished");
  expect(titlesOf("released")).toEqual(["after released-id"]);
});
