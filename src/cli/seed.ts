/**
 * `npm run seed`: fills the local stores of `npm start` with a week of work, so that the console and the audit trail have something
 * to show. 20 people of a service desk send about 2,000 turns through the gateway itself, with a clock of its own (`cases/worker.ts`):
 * its policies, objects and audit trail are those of `npm start`; the model is scripted.
 */
import { bundle } from "./bundle-worker.ts";
import { startMiniflare } from "./miniflare.ts";
import { type ScriptedModel, startScriptedModel } from "./policy/cases/scripted-model.ts";
import { readPolicyLines } from "./policy-file.ts";
import { programArguments } from "./program-arguments.ts";
import { type DeskUser, playStory } from "./seed/desk-client.ts";
import { drawFrom } from "./seed/draw.ts";
import { drawStory } from "./seed/stories.ts";
import { readSettings } from "./settings.ts";
import { claim, developmentKey, release } from "./start/local-state.ts";
import { storesIn } from "./start/local-stores.ts";

const usage = `npm run seed -- [--turns 2000]
plays a week of 20 people at a service desk into the local storage of \`npm start\`, and puts the desk's policy in force there
  --turns  about how many turns`;

const DAY_MS = 86_400_000;
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

/** Most of the work is done by day, from eight to six; the last conversations end just now. */
async function playWeek(desk: { readonly origin: string; readonly model: ScriptedModel }, turns: number) {
  const draw = drawFrom(turns);
  const now = Date.now();
  // Conversations have two to three turns each.
  const planned = Array.from({ length: turns }, () => now - weekday(draw.next(), draw.next()) * DAY_MS).sort(
    (a, b) => a - b,
  );
  let [done, clock] = [0, now];
  for (const [index, at] of planned.entries()) {
    if (done >= turns) break;
    const left = planned.length - index;
    // As many conversations as there are turns would be too many: those are skipped evenly.
    if (draw.next() > (turns - done) / left) continue;
    const user = draw.pick(users);
    await control(desk.origin, user.name, "advance", { ms: String(Math.round(at - clock)) });
    clock = at;
    // Alarms ring by the runtime's clock, which stands still meanwhile: what has expired is noticed here.
    await control(desk.origin, users[index % users.length]?.name ?? user.name, "deliver", {});
    const session = `desk-${index}-${now.toString(36)}`;
    done += await playStory(desk, user, session, drawStory(draw));
    if (process.stdout.isTTY) process.stdout.write(`\r${done} of ${turns} turns`);
  }
  await control(desk.origin, "ada", "advance", { ms: String(now - clock) });
  for (const { name } of users) await control(desk.origin, name, "deliver", {});
  console.log(`\r${done} turns of ${users.length} people, over seven days`);
}

/** Days ago, with fewer conversations by night: three quarters of those that fall there come by day instead. */
function weekday(at: number, shift: number): number {
  const days = at * 7;
  const hour = new Date(Date.now() - days * DAY_MS).getUTCHours();
  const isNight = hour < 7 || hour > 18;
  return isNight && shift > 0.25 ? Math.floor(days) + 0.5 * shift : days;
}

async function control(origin: string, user: string, action: string, parameters: Readonly<Record<string, string>>) {
  const query = new URLSearchParams({ ...parameters, tenant: "default", user });
  const response = await fetch(`${origin}/.cases/${action}?${query}`, { method: "POST" });
  if (!response.ok) throw new Error(`the clock cannot be moved: ${response.status}`);
}

process.exitCode = await main();
