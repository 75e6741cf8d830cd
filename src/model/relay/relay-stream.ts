/**
 * The relay: reads an upstream's event stream once. Events with only text go to the client's reply as the same bytes; from all others the
 * fragments of calls are assembled. A report of them at the end lets the step check that the calls account for every byte.
 */

import type { JsonObject } from "../../lib/json/json-value.ts";
import {
  callFault,
  callName,
  MAX_ARGUMENT_UNITS,
  MAX_CALLS,
  TOO_LONG,
  TOO_MANY_CALLS,
  vendorMembers,
} from "../../wire/call-parts.ts";
import { adoptChunk, type Envelope, noteHead, noteRole } from "../../wire/envelope.ts";
import { errorObject } from "../../wire/error-object.ts";
import type { WordFilters } from "../../wire/links/word-filters.ts";
import { readChunk, saysNothing } from "../../wire/read-chunk.ts";
import type { ReplySink } from "../../wire/reply-sink.ts";
import { type SseEvent, splitSse } from "../../wire/sse-split.ts";
import { matchTemplate, templateOf, type WordTemplate } from "../../wire/word-template.ts";
import { dataEvent } from "../../wire/write-event.ts";
import type { UpstreamDeadline } from "../upstream/time-limit.ts";
import { type BodyReader, bodyReader } from "./body-reader.ts";
import { assembleCalls, type CallAssembly, readFragment } from "./call-assembly.ts";
import { filterText, guardWords, heldEvent, inJson } from "./filtered-events.ts";

/** Limit for the names, ids and number of fragments; each fragment counts for `FRAGMENT_UNITS` at least. */
const MAX_FRAGMENT_UNITS = 16 * MAX_ARGUMENT_UNITS;
const FRAGMENT_UNITS = 16;
/** UTF-16 units of one event. Images come in events of some megabytes; more would take too much of an isolate. */
export const MAX_EVENT_UNITS = 8 * 1024 * 1024;
/** UTF-16 units of finish reasons, accounts and vendor fields of calls in one step. */
const MAX_HELD_UNITS = 2 * 1024 * 1024;
export const UNREADABLE = "the stream's tool calls could not be read";
/** UTF-16 units of a step's text that are kept for the record. */
export const MAX_KEPT_TEXT = 64 * 1024;

/** What the relay saw. If `fault` is set, the stream was not orderly, and nothing may be acted upon. */
export interface RelayReport {
  fault?: { readonly detail: string; readonly error?: unknown };
  /** Whether any event came; comments do not count. Without an event the client was sent nothing of this answer. */
  begun: boolean;
  readonly finish: JsonObject[];
  readonly finishReasons: string[];
  closing?: JsonObject;
  usage?: JsonObject;
  /** `[DONE]` was sent. */
  done: boolean;
  /** Names in fragments, in the order in which they came. */
  readonly names: string[];
  fragments: number;
  /** Whether the call of an index has a name yet. */
  readonly named: Map<number, boolean>;
  /** UTF-16 units of what is held to the end: finish reasons, accounts, vendor fields of calls. */
  heldUnits: number;
  argumentUnits: number;
  fragmentUnits: number;
  readonly calls: CallAssembly;
  /** Vendor fields of calls by their id (signatures that the provider wants back). */
  readonly extras: Map<string, JsonObject>;
  /** Escaped as inside a JSON string, so that it is parsed only if it is needed. */
  text: string;
  /** Likewise. */
  reasoning: string;
}

interface RelayOptions {
  readonly words: ReplySink;
  readonly envelope: Envelope;
  /** From the second step on every chunk is rewritten into the first one's envelope. */
  readonly adopt: boolean;
  readonly watch: UpstreamDeadline;
  /** Absent: links pass. */
  readonly links?: WordFilters | undefined;
  /** Called at the first event, before anything of it is written. */
  readonly onBegun: () => void;
}

/** Reads `body` to its end, or to its first fault. Never throws. */
export async function relayStream(body: ReadableStream<Uint8Array>, options: RelayOptions): Promise<RelayReport> {
  const report: RelayReport = {
    begun: false,
    finish: [],
    finishReasons: [],
    done: false,
    names: [],
    fragments: 0,
    named: new Map(),
    heldUnits: 0,
    argumentUnits: 0,
    fragmentUnits: 0,
    calls: assembleCalls(),
    extras: new Map(),
    text: "",
    reasoning: "",
  };
  const { words, watch, links } = options;
  const reader = bodyReader(body);
  watch.onEnd((reason) => reader.cancel(reason).catch(() => {}));
  const decoder = new TextDecoder();
  const splitter = splitSse();
  let template: WordTemplate | undefined;
  let spent: Uint8Array | undefined;
  const take = (events: readonly SseEvent[]): void => {
    let out = "";
    for (const event of events) {
      if (report.fault || report.done) break;
      if (!report.begun && event.data !== undefined && event.data.trim() !== "") begin(report, options);
      const text = template && event.plain && event.data ? matchTemplate(template, event.data) : undefined;
      if (template && text !== undefined) {
        const kept = links ? filterText(links, template, text) : text;
        collectText(report, template.member, kept);
        out += kept === text ? event.raw : `data: ${template.before}${kept}${template.after}\n\n`;
        continue;
      }
      const written = readEvent(event, report, options);
      template = written === event.raw && event.data ? templateOf(event.data) : template;
      out += written;
    }
    if (out !== "") words.write(out);
  };
  try {
    for (;;) {
      const { done, value } = await reader.read(spent);
      if (done) break;
      watch.received();
      take(splitter.push(decoder.decode(value, { stream: true })));
      spent = value;
      // Some providers keep the connection open after `[DONE]`.
      if (report.fault || report.done) break;
      if (splitter.pending() > MAX_EVENT_UNITS) {
        // It has sent enough of an answer, so the request is not retried.
        if (!report.begun) begin(report, options);
        report.fault = { detail: "an event of the stream is too large" };
      }
      if (report.fault) break;
      // Before the first event the client has nothing to read, and the time limit for that event applies.
      if (!report.begun || !words.full) continue;
      // The upstream is not at fault if a client reads slowly.
      watch.pause();
      await words.ready();
      watch.resume();
    }
    // The read was cut off: the rest of an event is dropped.
    if (watch.signal.aborted) report.fault ??= faultOf(watch);
    if (!report.fault && !report.done) {
      take(splitter.push(decoder.decode()));
      const rest = splitter.end();
      if (rest) take([rest]);
      if (!report.done && report.finishReasons.length === 0) {
        report.fault ??= { detail: "the stream broke off before its end" };
      }
    }
  } catch (error) {
    if (watch.signal.aborted) report.fault ??= faultOf(watch);
    report.fault ??= { detail: `the stream broke off: ${error instanceof Error ? error.message : "unknown cause"}` };
  }
  for (const held of links?.end() ?? []) {
    if (held.choice === 0) collectText(report, held.member, inJson(held.text));
    words.write(heldEvent(held, options.envelope));
  }
  if (report.fault) reader.cancel(report.fault.detail).catch(() => {});
  else if (report.done) leave(reader);
  return report;
}

function begin(report: RelayReport, { watch, onBegun }: RelayOptions): void {
  report.begun = true;
  watch.begun();
  onBegun();
}

const faultOf = ({ expired }: UpstreamDeadline): NonNullable<RelayReport["fault"]> =>
  expired ? { detail: expired.message, error: expired.error } : { detail: "the client went away" };

/** How long a body may take to end after `[DONE]`: no time limit applies any more. */
const LEAVE_MS = 1000;

/** A body that was read to its end leaves its connection to the next request; one that goes on, or does not end, is cancelled. */
function leave(reader: BodyReader): void {
  const cut = (): Promise<void> => reader.cancel().catch(() => {});
  const timer = setTimeout(cut, LEAVE_MS);
  const rest = reader.read().then(({ done }) => (done ? undefined : cut()));
  rest.catch(() => {}).finally(() => clearTimeout(timer));
}

/** @param text escaped as inside a JSON string. */
function collectText(report: RelayReport, member: string, text: string): void {
  if (member === "content" && report.text.length < MAX_KEPT_TEXT) report.text += text;
  if (member === "reasoning_content" && report.reasoning.length < MAX_KEPT_TEXT) report.reasoning += text;
}

/**
 * A comment passes only if no reader could find an event in it: some clients cut a stream at each `data:`, wherever it is. It is dropped if
 * the client has much to read already.
 */
const HARMLESS_COMMENT = /^:(?!.*data)[\x20-\x7a]*\r?\n\r?\n$/;

/** Records in the report what an event decides. @returns the event's text for the client. */
function readEvent(event: SseEvent, report: RelayReport, options: RelayOptions): string {
  if (event.data === undefined) return HARMLESS_COMMENT.test(event.raw) && !options.words.full ? event.raw : "";
  if (event.data.trim() === "") return "";
  if (event.data.trim() === "[DONE]") {
    report.done = true;
    return "";
  }
  const read = readChunk(event.data);
  if (read.kind === "broken") report.fault = { detail: read.detail };
  else if (read.kind === "error")
    report.fault = { detail: "the provider reported an error", error: errorObject(read.error) };
  if (read.kind !== "chunk") return "";

  if (!options.envelope.head) noteHead(options.envelope, read.chunk);
  const guarded = guardWords(read, options.links);
  if (guarded.text !== "") collectText(report, "content", inJson(guarded.text));
  if (guarded.reasoning !== "") collectText(report, "reasoning_content", inJson(guarded.reasoning));
  if (read.usage) report.usage = read.usage;
  // Providers also send accounts after the end, and these must not overtake it.
  const isLate = report.finishReasons.length > 0 && !read.finish && read.words !== undefined && saysNothing(read.chunk);
  if (read.finish || isLate) report.finish.push(read.finish ?? read.chunk);
  report.finishReasons.push(...read.finishReasons);
  const closing = read.words === undefined && read.usage !== undefined && !read.finish && read.fragments.length === 0;
  if (closing) report.closing = read.chunk;
  // Not the event's own length: its text passes, for example an image of some megabytes.
  const held = read.finish ?? (closing || isLate ? read.chunk : undefined);
  if (held) report.heldUnits += JSON.stringify(held).length;
  for (const { choice, value } of read.fragments) takeFragment(choice, value, report);
  if (report.heldUnits > MAX_HELD_UNITS) report.fault ??= { detail: "the stream has too much beside its words" };
  if (report.fault || isLate || guarded.words === undefined) return "";
  return writeWords(event, read.chunk, guarded.words, options);
}

function writeWords(
  event: SseEvent,
  chunk: JsonObject,
  words: "same" | JsonObject,
  { envelope, adopt }: RelayOptions,
): string {
  if (adopt) {
    const adopted = adoptChunk(envelope, words === "same" ? chunk : words);
    // JSON mode drops the text of a hidden step, the role included.
    if (!envelope.roleSent) noteRole(envelope, adopted);
    return dataEvent(adopted);
  }
  if (!envelope.roleSent) noteRole(envelope, chunk);
  return words === "same" && event.plain ? event.raw : dataEvent(words === "same" ? chunk : words);
}

function takeFragment(choice: number, value: unknown, report: RelayReport): void {
  report.fragments += 1;
  const name = callName(value);
  if (name !== undefined && report.names.at(-1) !== name) report.names.push(name);
  const fault = choice === 0 ? callFault(value) : "tool calls in a choice other than the first are not supported";
  if (fault !== undefined) {
    report.fault = { detail: fault };
    return;
  }
  const fragment = readFragment(value as JsonObject);
  if (!fragment) {
    report.fault = { detail: UNREADABLE };
    return;
  }
  const { index, id } = fragment;
  if (index !== undefined) report.named.set(index, name !== undefined || report.named.get(index) === true);
  const extra = vendorMembers(value);
  if (extra && id !== undefined && !report.extras.has(id)) {
    report.extras.set(id, extra);
    report.heldUnits += JSON.stringify(extra).length;
  }
  report.argumentUnits += fragment.arguments?.length ?? 0;
  report.fragmentUnits += FRAGMENT_UNITS + (fragment.name?.length ?? 0) + (id?.length ?? 0);
  if (report.argumentUnits > MAX_ARGUMENT_UNITS) {
    report.fault = { detail: TOO_LONG };
  }
  if (!report.fault) report.calls.add(fragment);
  if (report.fragmentUnits > MAX_FRAGMENT_UNITS)
    report.fault = { detail: "the names of the step's calls are too long" };
  // Few enough to search for each fragment: all calls of a stream may have one index, or none.
  if (Math.max(report.named.size, report.calls.begun) > MAX_CALLS) report.fault = { detail: TOO_MANY_CALLS };
}
