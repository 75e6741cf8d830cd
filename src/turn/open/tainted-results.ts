/**
 * Tainted results: results of trusted tools that hold what was written after untrusted text, in this conversation or an earlier one. Pure.
 */
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { lookUpTainted, type TaintedLookup, type TaintedWrite } from "../../policy/origin/sources/tainted-values.ts";
import { traitsOf } from "../../policy/traits.ts";
import type { OpenResult } from "../../ports/turns/open-turn-request.ts";
import { textOf } from "../../wire/conversation.ts";
import type { TurnLog } from "../turn-log.ts";
import { resultsIn } from "./untrusted.ts";

/** If no tool is trusted, nothing can be laundered, and writes need not be remembered. */
export function trustsAnything(policy: CompiledPolicy): boolean {
  const before = known.get(policy);
  if (before !== undefined) return before;
  const trusts = [...policy.tools.keys()].some((name) => trustsSomeResults(policy, name));
  known.set(policy, trusts);
  return trusts;
}

const known = new WeakMap<CompiledPolicy, boolean>();

function trustsSomeResults(policy: CompiledPolicy, tool: string): boolean {
  const { trusted, trustedFields, directory } = traitsOf(policy, tool);
  return trusted || directory || trustedFields.length > 0;
}

interface KnownWrites {
  readonly opened: Pick<OpenResult, "stored">;
  readonly log: Pick<TurnLog, "written">;
}

/** The writes that the user's object knows, and those of this turn. */
export function taintedLookup({ opened, log }: KnownWrites): TaintedLookup {
  const { writes = [], isFull = false } = opened.stored ?? {};
  const before = lookups.get(log.written);
  if (before && before.of === opened.stored) return before.lookup;
  const lookup = lookUpTainted({ writes: [...writes, ...log.written], isFull });
  lookups.set(log.written, { of: opened.stored, lookup });
  return lookup;
}

/** Keyed by the list of writes, which is replaced when it grows. */
const lookups = new WeakMap<readonly TaintedWrite[], { readonly of: unknown; readonly lookup: TaintedLookup }>();

interface TaintedResult {
  /** The trusted tool that brought the text back. */
  readonly tool: string;
  /** Null if more was written than is kept: the writer is unknown. */
  readonly from: Pick<TaintedWrite, "tool" | "session"> | null;
}

/** @param messages the client's and the gateway's own. */
export function taintedResults(
  policy: CompiledPolicy,
  lookup: TaintedLookup,
  messages: readonly unknown[],
): readonly TaintedResult[] {
  return resultsIn(messages.filter(isObject)).flatMap(({ tool, message }) => {
    const found = taintedResult(policy, lookup, tool, message);
    return found ? [found] : [];
  });
}

export const holdsTaintedResults = (
  policy: CompiledPolicy,
  { stored, hidden }: OpenResult,
  messages: readonly unknown[],
): boolean =>
  stored !== undefined &&
  (stored.isFull || stored.writes.length > 0) &&
  taintedResults(policy, lookUpTainted(stored), [...messages, ...hidden.flatMap((one) => one.messages)]).length > 0;

/** Undefined if the tool's results are not trusted anyway, or this one holds no known write. */
function taintedResult(
  policy: CompiledPolicy,
  lookup: TaintedLookup,
  tool: string | undefined,
  { content }: JsonObject,
): TaintedResult | undefined {
  if (tool === undefined || !trustsSomeResults(policy, tool)) return undefined;
  if (lookup.isFull) return { tool, from: null };
  const writer = lookup.writerIn(textOf(content));
  return writer && { tool, from: { tool: writer.tool, session: writer.session } };
}

/** Whether a result of the tool brings back what was written after untrusted text, as far as this turn knows. */
export const isTaintedResult = (
  turn: KnownWrites & { readonly input: { readonly policy: CompiledPolicy } },
  tool: string | undefined,
  message: JsonObject,
): boolean => taintedResult(turn.input.policy, taintedLookup(turn), tool, message) !== undefined;
