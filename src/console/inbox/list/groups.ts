/** What waits, conversation by conversation, and the line that each call has in the list. Pure. */
import type { ApprovalView } from "../../../api-views/approval-views.ts";
import { isGrave } from "../card/grave.ts";

export interface CallGroup {
  readonly session: string;
  /** Undefined: the person who looks. */
  readonly user: string | undefined;
  readonly calls: readonly ApprovalView[];
}

/** A conversation stands where its first call does. */
export function groupCalls(calls: readonly ApprovalView[]): readonly CallGroup[] {
  const groups = new Map<string, CallGroup & { calls: ApprovalView[] }>();
  for (const call of calls) {
    const key = JSON.stringify([call.user ?? null, call.session_id]);
    const group = groups.get(key) ?? { session: call.session_id, user: call.user, calls: [] };
    group.calls.push(call);
    groups.set(key, group);
  }
  return [...groups.values()];
}

interface CallLine {
  /** The act as the gateway words it, without the mark of a question. */
  readonly act: string;
  /** Values that the act does not name. */
  readonly values: string;
  readonly grave: boolean;
}

const MOST_VALUES = 2;
const LONGEST = 48;

/** Nothing private is in it. */
export function callLine({ question, tool, details }: ApprovalView): CallLine {
  const act = (question || details.summary).replace(/\s*[?？]\s*$/u, "") || tool;
  const values = details.arguments
    .filter((one) => !one.redacted && !one.private && one.value !== "" && !act.includes(one.value))
    .filter(({ value }) => value.length <= LONGEST)
    .slice(0, MOST_VALUES)
    .map(({ value }) => value);
  return { act, values: values.join(" · "), grave: details.effects.some(isGrave) };
}
