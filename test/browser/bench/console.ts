/**
 * How fast the console's pages are, on a gateway that `npm run seed` has filled: first paint, the longest task of the page's thread, the
 * scripts that a page loads, and the frames of an inbox with 100 calls while it scrolls.
 *
 *   npm run bench:console -- [--turns 2000] [--rounds 5]
 *
 * With the chromium of CHROMIUM_PATH (/usr/bin/chromium). Fails where a task takes 50 ms or more, or one frame in twenty is late.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Browser, chromium, type Page } from "playwright-core";
import { buildConsole } from "../../../src/cli/build-console.ts";
import { programArguments } from "../../../src/cli/program-arguments.ts";
import { root } from "../../../src/cli/settings.ts";
import { developmentKey } from "../../../src/cli/start/local-state.ts";
import { storesIn } from "../../../src/cli/start/local-stores.ts";
import { describeConditions, noiseWarning, readConditions } from "../../bench/report/conditions.ts";
import { median, quantile } from "../../bench/report/statistics.ts";
import { plainTable, show } from "../../bench/report/table.ts";
import { type Gateway, startGateway } from "../../clients/support/worker.ts";

const { turns, rounds } = programArguments("npm run bench:console -- [--turns 2000] [--rounds 5]", {
  turns: { type: "string", default: "2000" },
  rounds: { type: "string", default: "5" },
});

const KEY = "tg-dev-admin";
const CALLS = 100;
const SETTLES_MS = 1_500;
const MOST_TASK_MS = 50;
/** Of 60 a second, with a little for the clock. */
const FRAME_MS = 1000 / 60 + 1.5;
const MOST_LATE = 0.05;

/** The page, what shows that it is there, and the script that it begins with. */
const pages = [
  ["approvals", "A-1099", "main.tsx"],
  ["overview", "Refused last", "overview-page.tsx"],
  ["sessions", "Last turn", "sessions-page.tsx"],
  ["audit?kind=decisions", "Refused", "audit-page.tsx"],
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
const executablePath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
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
      const page = await open(browser, path, shows);
      const { paint, task } = await page.evaluate(readTimes);
      paints.push(paint);
      tasks.push(task);
      await page.context().close();
    }
    const bytes = scripts.find(({ name }) => name === script)?.gzipBytes ?? Number.NaN;
    // What disturbs a task makes it longer, never shorter: a page's own long task is long each time.
    const task = median(tasks);
    if (!(task < MOST_TASK_MS)) process.exitCode = 1;
    rows.push([path, show(median(paints), 0), task === 0 ? "< 50" : show(task, 0), show(bytes / 1024, 1)]);
  }
  const header = ["page", "first paint, ms", "longest task, ms", "scripts, KiB gzipped"];
  process.stdout.write(`\n${plainTable([header, ...rows])}\n`);
}

async function open(browser: Browser, path: string, shows: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript((key) => {
    sessionStorage.setItem("toolgate.key", key);
    const times = window as unknown as { longest: number };
    times.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) times.longest = Math.max(times.longest, duration);
    }).observe({ type: "longtask", buffered: true });
  }, KEY);
  await page.goto(`${new URL(gateway.baseURL).origin}/console/${path}`);
  await page.getByText(shows).filter({ visible: true }).first().waitFor();
  // Its other requests, and what they draw. The inbox never ends its stream.
  await page.waitForTimeout(SETTLES_MS);
  return page;
}

/** In the page. Zero: no task took 50 ms. */
function readTimes(): { readonly paint: number; readonly task: number } {
  const paint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN;
  return { paint, task: (window as unknown as { longest: number }).longest };
}

async function measureScrolling(): Promise<void> {
  const page = await open(browser, "approvals", "A-1099");
  await page
    .locator(".call-row")
    .nth(CALLS - 1)
    .waitFor({ state: "attached" });
  const frames = await page.evaluate(async () => {
    const list = document.querySelector(".call-list");
    const times: number[] = [];
    if (!list) return times;
    let last = await new Promise(requestAnimationFrame);
    for (let at = 0; at < 240; at++) {
      // Down and up again, as far as there is something.
      list.scrollTop += at % 120 < 60 ? 60 : -60;
      const now = await new Promise(requestAnimationFrame);
      times.push(now - last);
      last = now;
    }
    return times;
  });
  const late = frames.filter((ms) => ms > FRAME_MS).length;
  if (!(late / frames.length <= MOST_LATE)) process.exitCode = 1;
  process.stdout.write(
    `\n${CALLS} calls in the inbox, ${frames.length} frames of scrolling: ${show(median(frames), 1)} ms at the median, ${show(quantile(frames, 0.95), 1)} ms at p95, ${late} late\n`,
  );
}
