/**
 * How fast the console's pages are, on a gateway that `npm run seed` has filled: first paint, the longest task of the page's thread, the
 * scripts that a page loads, and the frames of an inbox with 100 calls while it scrolls. Tasks are measured in CPU time: other work on the
 * machine hardly lengthens it.
 *
 *   npm run bench:console -- [--turns 2000] [--rounds 5]
 *
 * With the chromium of CHROMIUM_PATH (or Debian's). Fails where a task takes 50 ms or more, or a frame of scrolling more than 1/60 s.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromium, type Page } from "playwright-core";
import { buildConsole } from "../../../src/cli/build/console.ts";
import { programArguments } from "../../../src/cli/program-arguments.ts";
import { root } from "../../../src/cli/settings.ts";
import { developmentKey } from "../../../src/cli/start/local-state.ts";
import { storesIn } from "../../../src/cli/start/local-stores.ts";
import { describeConditions, noiseWarning, readConditions } from "../../bench/report/conditions.ts";
import { median, quantile } from "../../bench/report/statistics.ts";
import { plainTable, show } from "../../bench/report/table.ts";
import { type Gateway, startGateway } from "../../clients/support/worker.ts";
import { chromiumPath } from "../chromium-path.ts";
import { traceMainThread } from "./main-thread.ts";

const { turns, rounds } = programArguments("npm run bench:console -- [--turns 2000] [--rounds 5]", {
  turns: { type: "string", default: "2000" },
  rounds: { type: "string", default: "5" },
});

const KEY = "tg-dev-admin";
const CALLS = 100;
const SETTLES_MS = 1_500;
const MOST_TASK_MS = 50;
/** Of 60 a second. */
const FRAME_MS = 1000 / 60;
/** For the clock. */
const SLACK_MS = 1.5;

/** The page, what shows that it is there, and the script that it begins with. */
const pages = [
  ["approvals", "A-1099", "main.tsx"],
  ["overview", "Refused last", "overview-page.tsx"],
  ["sessions", "Last turn", "sessions-page.tsx"],
  ["audit?kind=decisions", "Asked", "audit-page.tsx"],
  ["policy", "seeded-desk", "policy-page.tsx"],
  ["playground", "Say what you want", "playground-page.tsx"],
  ["tools", "refund", "tools-page.tsx"],
  ["users", "Seen lately", "users-page.tsx"],
  ["settings", "toolgate-demo", "settings-page.tsx"],
] as const;

const conditions = readConditions();
process.stdout.write(`${describeConditions(conditions)}\n`);
const noise = noiseWarning(conditions);
if (noise) process.stdout.write(`WARNING: ${noise}\n`);
const { pages: scripts } = await buildConsole();
const folder = mkdtempSync(join(tmpdir(), "toolgate-console-"));
const env = { ...process.env, TOOLGATE_STATE: folder };
await promisify(execFile)(process.execPath, ["src/cli/seed.ts", "--turns", turns], { cwd: root, env });
const settings = { AUDIT_KEY: developmentKey(folder, "audit-key") };
const gateway = await startGateway({ entry: "src/index.ts", folder: storesIn(folder), settings });
const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox", "--disable-gpu"] });
try {
  await fillInbox(gateway);
  await measurePages();
  await measureScrolling();
} finally {
  await browser.close();
  await gateway.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function fillInbox({ baseURL }: Gateway): Promise<void> {
  const tool = { type: "function", function: { name: "refund", parameters: { type: "object" } } };
  for (let at = 0; at < CALLS; at++) {
    const call = `demo: call refund {"order":"A-${1000 + at}","amount":${10 + at}}`;
    const body = { model: "demo", tools: [tool], messages: [{ role: "user", content: `please refund it\n${call}` }] };
    const headers = {
      authorization: `Bearer ${KEY}`,
      "content-type": "application/json",
      "x-toolgate-session": `s${at}`,
    };
    const reply = await fetch(`${baseURL}/chat/completions`, { method: "POST", headers, body: JSON.stringify(body) });
    const { toolgate } = (await reply.json()) as { readonly toolgate?: { readonly approvals: readonly unknown[] } };
    if (toolgate?.approvals.length !== 1) throw new Error(`call ${at} does not wait`);
  }
}

async function measurePages(): Promise<void> {
  const rows: string[][] = [];
  for (const [path, shows, script] of pages) {
    const paints: number[] = [];
    const tasks: number[] = [];
    for (let round = 0; round < Number(rounds); round++) {
      const { paint, longest } = await visit(path, shows);
      paints.push(paint);
      tasks.push(longest);
    }
    const bytes = scripts.find(({ name }) => name === script)?.gzipBytes ?? Number.NaN;
    const task = median(tasks);
    if (!(task < MOST_TASK_MS)) process.exitCode = 1;
    rows.push([path, show(median(paints), 0), show(task, 0), show(bytes / 1024, 1)]);
  }
  const header = ["page", "first paint, ms", "longest task, ms of CPU", "scripts, KiB gzipped"];
  process.stdout.write(`\n${plainTable([header, ...rows])}\n`);
}

async function visit(path: string, shows: string): Promise<{ readonly paint: number; readonly longest: number }> {
  const page = await newPage();
  const tasks = await traceMainThread(browser, () => open(page, path, shows));
  const paint = await page.evaluate(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
  );
  await page.context().close();
  return { paint, longest: Math.max(...tasks) };
}

async function newPage(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript((key) => sessionStorage.setItem("toolgate.key", key), KEY);
  return page;
}

async function open(page: Page, path: string, shows: string): Promise<void> {
  await page.goto(`${new URL(gateway.baseURL).origin}/console/${path}`);
  await page.getByText(shows).filter({ visible: true }).first().waitFor();
  // Its other requests, and what they draw. The inbox never ends its stream.
  await page.waitForTimeout(SETTLES_MS);
}

async function measureScrolling(): Promise<void> {
  const page = await newPage();
  await open(page, "approvals", "A-1099");
  const last = page.locator(".call-row").nth(CALLS - 1);
  await last.waitFor({ state: "attached" });
  let frames: readonly number[] = [];
  const tasks = await traceMainThread(browser, async () => {
    frames = await page.evaluate(scroll);
  });
  const longest = Math.max(...tasks);
  if (!(longest < FRAME_MS)) process.exitCode = 1;
  const late = frames.filter((ms) => ms > FRAME_MS + SLACK_MS).length;
  process.stdout.write(
    `\n${CALLS} calls in the inbox, ${frames.length} frames of scrolling: longest task ${show(longest, 1)} ms of CPU; a frame ${show(median(frames), 1)} ms at the median, ${show(quantile(frames, 0.95), 1)} ms at p95, ${late} late\n`,
  );
}

/** In the page. @returns how long each frame took, in milliseconds. */
async function scroll(): Promise<number[]> {
  const list = document.querySelector(".call-list");
  const times: number[] = [];
  if (!list) return times;
  let last = await new Promise<number>(requestAnimationFrame);
  for (let at = 0; at < 240; at++) {
    // Down and up again, as far as there is something.
    list.scrollTop += at % 120 < 60 ? 60 : -60;
    const now = await new Promise<number>(requestAnimationFrame);
    times.push(now - last);
    last = now;
  }
  return times;
}
