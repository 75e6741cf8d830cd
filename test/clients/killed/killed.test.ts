/** workerd killed with SIGKILL between decision and delivery, and started again on the same folder. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { killWorkerd, type Points, startPoints } from "../support/killing.ts";
import { callsTools, type ScriptedUpstream, startUpstream } from "../support/upstream.ts";
import { type Gateway, startGateway } from "../support/worker.ts";

const policy = {
  handshake: { select: "off" },
  execution: { maxCorrections: 0 },
  tools: { read_file: { category: "read_only", rateLimits: [{ max: 2, window: "24h" }] } },
};
const tools = [{ type: "function", function: { name: "read_file", parameters: { type: "object", properties: {} } } }];
const reads = callsTools({ name: "read_file", arguments: {} });
const hi = { role: "user", content: "go" };

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
  folder = mkdtempSync(join(tmpdir(), "toolgate-killed-"));
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

/** Kills it, and starts another on what it left. */
async function killAndStart(): Promise<void> {
  await killWorkerd(points);
  await gateway.stop();
  gateway = await start();
}

const send = (path: string, { as = key, body }: { as?: string; body?: object } = {}) =>
  fetch(`${gateway.baseURL}${path}`, {
    method: body ? "POST" : "GET",
    headers: { authorization: `Bearer ${as}`, "content-type": "application/json", "x-toolgate-session": "s" },
    body: body && JSON.stringify(body),
  });
const chat = (messages: readonly object[] = [hi]) =>
  send("/chat/completions", { body: { model: "gpt", messages, tools } });

interface Reply {
  readonly choices: readonly { readonly message: { readonly tool_calls?: readonly { readonly id: string }[] } }[];
  readonly toolgate: { readonly decisions: readonly { readonly reasons: readonly { readonly code: string }[] }[] };
}
const json = async <T>(response: Response) => (await response.json()) as T;
const rows = async (kind: string) =>
  (await json<{ data: Record<string, unknown>[] }>(await send(`/audit/${kind}?order=asc`, { as: admin }))).data;
const verification = async () => json<Record<string, unknown>>(await send("/audit/verify?user=ada", { as: admin }));

/**
 * One read was decided before the death. One is left of two, and then none; each decision is in the trail exactly once, and
 * the chain verifies.
 */
async function goesOn(before: number): Promise<void> {
  upstream.script(reads, reads);
  const second = await json<Reply>(await chat([hi, { role: "assistant", content: "" }, hi]));
  expect(second.choices[0]?.message.tool_calls).toHaveLength(2 - before);
  const third = await json<Reply>(
    await chat([hi, { role: "assistant", content: "" }, { role: "user", content: "once more" }]),
  );
  expect(third.toolgate.decisions.at(-1)?.reasons).toMatchObject([{ code: "rate_limited" }]);
  await expect.poll(() => rows("decisions"), { timeout: 20_000 }).toHaveLength(before + 2);
  const decisions = await rows("decisions");
  expect(new Set(decisions.map(({ id }) => id)).size).toBe(before + 2);
  expect(decisions.map(({ effect }) => effect)).toEqual([...Array(before + 1).fill("allow"), "deny"]);
  await expect.poll(verification, { timeout: 20_000 }).toMatchObject({ ok: true, waiting: 0 });
  expect(await (await send("/sessions/s")).json()).toMatchObject({ id: "s" });
}

it.each([
  ["once it is decided, before the reply", "decided"],
  ["before its records are delivered", "ringing"],
  ["in the middle of the delivery: D1 has the records, the object does not know it", "delivered"],
  ["once calls are released, before the turn is closed", "closing"],
])("%s: nothing is lost, nothing is twice", async (_, place) => {
  points.hold(place);
  upstream.script(reads);
  // Of some of these replies nothing ever comes.
  const reply = chat()
    .then((response) => response.text())
    .catch(() => "gone");
  await points.held();
  await killAndStart();
  if (place !== "decided") expect(await reply).not.toBe("");
  await goesOn(1);
});

it("once the turn is closed, within the write-behind: the decision and its use are there", async () => {
  points.hold("closed");
  upstream.script(reads);
  const reply = await json<Reply>(await chat());
  expect(reply.choices[0]?.message.tool_calls).toHaveLength(1);
  await points.held();
  await killAndStart();
  expect(await (await send("/sessions/s")).json()).toMatchObject({ pending_calls: 1 });
  await goesOn(1);
});

it("once a turn is opened, within the write-behind: it decided nothing", async () => {
  upstream.script(reads);
  const { choices } = await json<Reply>(await chat());
  const result = { role: "tool", tool_call_id: choices[0]?.message.tool_calls?.[0]?.id, content: "text" };
  const history = [hi, { role: "assistant", ...choices[0]?.message }, result];
  await expect.poll(() => rows("decisions"), { timeout: 20_000 }).toHaveLength(1);
  // The model is asked once the open is answered; the model says nothing.
  upstream.script(() => {});
  const lost = chat([...history, { role: "assistant", content: "read" }, hi]).catch(() => "gone");
  await upstream.arrival();
  await killAndStart();
  await lost;
  await goesOn(1);
});
