/** Groups waiting calls by conversation, and makes each call's line in the list. Pure. */
import type { ApprovalView } from "../../../api-views/approval-views.ts";
import { isGrave } from "../card/grave.ts";

export interface CallGroup {
  readonly session: string;
  /** Undefined: the signed-in user. */
  readonly user: string | undefined;
  readonly calls: readonly ApprovalView[];
}

/** A conversation takes the place of its first call. */
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
  /** The act in the gateway's words, without the question mark. */
  readonly act: string;
  /** Values that are not in the text of the act. */
  readonly values: string;
  readonly grave: boolean;
}

const MOST_VALUES = 2;
const LONGEST = 48;

/** Holds no private value. */
export function callLine({ question, tool, details }: ApprovalView): CallLine {
  const act = (question || details.summary).replace(/\s*[?？]\s*$/u, "") || tool;
  const values = details.arguments
    .filter((one) => !one.redacted && !one.private && one.value !== "" && !act.includes(one.value))
    .filter(({ value }) => value.length <= LONGEST)
    .slice(0, MOST_VALUES)
    .map(({ value }) => value);
  return { act, values: values.join(" · "), grave: details.effects.some(isGrave) };
}
