/**
 * `npm run seed`: fills the local stores of `npm start` with a week of work, so that the console and the audit trail have something
 * to show. 20 people of a service desk send about 2,000 turns through the gateway itself, with a clock of its own (`cases/worker.ts`):
 * its policies, objects and audit trail are those of `npm start`; the model is scripted.
 */
import { DAY_MS, HOUR_MS } from "../lib/time.ts";
import { bundle } from "./build/worker.ts";
import { startMiniflare } from "./local/miniflare.ts";
import { type ScriptedModel, startScriptedModel } from "./policy/cases/scripted-model.ts";
import { readPolicyLines } from "./policy-file.ts";
import { programArguments } from "./program-arguments.ts";
import { type DeskUser, playStory } from "./seed/desk-client.ts";
import { DeskClock } from "./seed/desk-clock.ts";
import { type Draw, drawFrom } from "./seed/draw.ts";
import { drawStory } from "./seed/stories.ts";
import { readSettings } from "./settings.ts";
import { claim, developmentKey, release } from "./start/local-state.ts";
import { storesIn } from "./start/local-stores.ts";

const usage = `npm run seed -- [--turns 2000]
plays a week of 20 people at a service desk into the local storage of \`npm start\`, and puts the desk's policy in force there
  --turns  about how many turns`;

/** On the average. */
const TURNS_OF_A_STORY = 2.2;
const users: readonly DeskUser[] = [
  ...["ada", "ben", "chiara", "dmitri", "elif", "farid", "gwen", "hana", "ivo", "jun", "kofi", "lena", "marta"].map(
    (name) => ({ name, role: "user" as const }),
  ),
  ...["noor", "oskar", "priya", "quinn", "rosa"].map((name) => ({ name, role: "premium" as const })),
  ...["sam", "tove"].map((name) => ({ name, role: "admin" as const })),
];

async function main(): Promise<number> {
  const { turns: wanted } = programArguments(usage, { turns: { type: "string", default: "2000" } });
  const turns = Number(wanted);
  if (!Number.isInteger(turns) || turns < 1) return fail(`--turns is \`${wanted}\`: it must be a whole number above 0`);
  const settings = readSettings({ ...process.env, UPSTREAM_BASE_URL: "" });
  if (!settings.ok) return fail(...settings.error);
  const { stateFolder, port } = settings.value;
  const mine = claim(stateFolder);
  if (!mine.ok)
    return mine.error.kind === "runs"
      ? fail(`a gateway runs on ${stateFolder} (pid ${mine.error.pid}): end it first, then seed, then start it again`)
      : fail(`nothing can be kept in ${stateFolder} (${mine.error.reason}): set TOOLGATE_STATE to another folder`);
  const model = await startScriptedModel();
  try {
    await seed(stateFolder, model, turns);
  } finally {
    await model.stop();
    release(stateFolder);
  }
  console.log(`\nnow \`npm start\`, and open http://localhost:${port}/console with the key tg-dev-admin`);
  return 0;
}

function fail(...lines: readonly string[]): number {
  for (const line of lines) console.error(line);
  return 1;
}

async function seed(stateFolder: string, model: ScriptedModel, turns: number): Promise<void> {
  const { code } = await bundle("seed", "src/cases/worker.ts");
  const bindings = {
    AUDIT_KEY: developmentKey(stateFolder, "audit-key"),
    SIGNING_KEYS: developmentKey(stateFolder, "signing-key"),
    CONNECTION_KEY: developmentKey(stateFolder, "connection-key"),
    PUBLIC_URL: "http://localhost:8787",
    TOOLGATE_DEV: "1",
    UPSTREAM_BASE_URL: model.url,
    UPSTREAM_API_KEY: "scripted",
    UPSTREAM_PASS_HEADERS: "x-policy-case",
    CASES_URL: model.url,
  };
  const { mf, origin } = await startMiniflare({
    name: "toolgate",
    code,
    bindings,
    stores: true,
    folder: storesIn(stateFolder),
  });
  try {
    await putPolicy(origin);
    await playWeek({ origin, model }, turns);
  } finally {
    await mf.dispose();
  }
}

async function putPolicy(origin: string): Promise<void> {
  const policy = await readPolicyLines(new URL("seed/desk.policy.json", import.meta.url).pathname);
  if (!policy.ok) throw new Error(policy.error.join("\n"));
  const response = await fetch(`${origin}/admin/policies/default`, {
    method: "PUT",
    headers: { authorization: "Bearer tg-dev-admin", "content-type": "application/json" },
    body: JSON.stringify(policy.value.input),
  });
  if (!response.ok) throw new Error(`the policy is refused: ${await response.text()}`);
}

async function playWeek(gateway: { readonly origin: string; readonly model: ScriptedModel }, turns: number) {
  const draw = drawFrom(turns);
  const now = Date.now();
  const clock = new DeskClock(gateway.origin, now);
  const desk = { ...gateway, clock };
  const begins = Array.from({ length: turns }, () => drawTime(draw, now)).sort((one, other) => one - other);
  let done = 0;
  for (const [index, at] of begins.entries()) {
    if (done >= turns) break;
    // Only as many stories are played as the turns need, evenly over the days.
    if (draw.next() > (turns - done) / TURNS_OF_A_STORY / (begins.length - index)) continue;
    const user = draw.pick(users);
    await clock.setTo(user.name, at);
    // Alarms ring by the runtime's clock, which does not move meanwhile: this makes the objects notice what has expired.
    await clock.control(users[index % users.length]?.name ?? user.name, "deliver");
    done += await playStory(desk, user, `desk-${index}-${now.toString(36)}`, drawStory(draw), draw);
    if (process.stdout.isTTY) process.stdout.write(`\r${done} of ${turns} turns`);
  }
  await clock.setTo("ada", now);
  for (const { name } of users) await clock.control(name, "deliver");
  console.log(`\r${done} turns of ${users.length} people, over seven days`);
}

/** In the last seven days, mostly between eight and six. */
function drawTime(draw: Draw, now: number): number {
  const day = Math.floor(now / DAY_MS) - draw.whole(0, 6);
  const hour = draw.oneIn(7) ? draw.next() * 24 : 8 + draw.next() * 10;
  const at = day * DAY_MS + hour * HOUR_MS;
  return at > now ? at - DAY_MS : at;
}

process.exitCode = await main();
