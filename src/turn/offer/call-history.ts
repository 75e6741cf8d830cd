/** What was called in the session before, for the rules about the order of calls. Pure. */
import type { ToolHistory } from "../../policy/facts.ts";
import { resultsIn } from "../open/untrusted.ts";
import type { Turn } from "../turn.ts";

/** A result that the client only claims to have can forbid, never permit: it counts as read, not as a success. */
export function historyOf({ input, opened, log }: Turn): ToolHistory {
  const { succeeded = [], read = [] } = opened.history ?? {};
  const ran = log.runs.filter(({ status }) => status !== "started" && status !== "not_started");
  const shown = resultsIn(input.request.messages).flatMap(({ tool }) => tool ?? []);
  const done = ran.filter(({ status }) => status === "succeeded");
  const names = (list: readonly { readonly tool: string }[]) => list.map(({ tool }) => tool);
  return {
    succeeded: [...new Set([...succeeded, ...names(done)])],
    read: [...new Set([...read, ...names(ran), ...shown])],
  };
}
