/** What a page's main thread does, from the browser's own trace: in CPU time, which other work on the machine hardly lengthens. */
import type { Browser } from "playwright-core";

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of CPU. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** @returns milliseconds of CPU of each task that the main threads of the browser's pages ran meanwhile. */
export async function traceMainThread(browser: Browser, work: () => Promise<unknown>): Promise<readonly number[]> {
  const devtools = await browser.newBrowserCDPSession();
  const events: TraceEvent[] = [];
  devtools.on("Tracing.dataCollected", ({ value }) => void events.push(...(value as unknown as TraceEvent[])));
  const traceConfig = { includedCategories: ["toplevel", "devtools.timeline"] };
  await devtools.send("Tracing.start", { transferMode: "ReportEvents", traceConfig });
  await work();
  const complete = new Promise((resolve) => devtools.once("Tracing.tracingComplete", resolve));
  await devtools.send("Tracing.end");
  await complete;
  await devtools.detach();
  const thread = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const named = events.filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain");
  const main = new Set(named.map(thread));
  const tasks = events.filter((event) => event.ph === "X" && event.name.endsWith("RunTask") && main.has(thread(event)));
  // Of the shortest the browser does not say it.
  const measured = tasks.flatMap(({ tdur }) => (tdur === undefined ? [] : [tdur / 1000]));
  if (measured.length === 0) throw new Error("the trace has no task of a page");
  return measured;
}
