/** Reasons for the record: with no more of the arguments, the disclosure and the answer than the record may have. Pure. */
import { isObject, pointerKeys, toPointer, valueAt } from "../../../lib/json/json-value.ts";
import { type DisclosedReason, discloseReasons, type Reason } from "../../../policy/reasons.ts";
import type { CallToDecide } from "../../../ports/turns/decide-request.ts";

/** @param words whether the record has the disclosure and the answer. */
export function recordReasons(
  reasons: readonly Reason[],
  { recorded, disclosed, recordedTool }: Pick<CallToDecide, "recorded" | "disclosed" | "recordedTool">,
  words: boolean,
): readonly DisclosedReason[] {
  const disclosures = words ? disclosed : { firstUse: "", confirmation: "" };
  return discloseReasons(reasons, disclosures).map((reason): DisclosedReason => {
    switch (reason.code) {
      case "unknown_tool":
      case "not_offered":
        return recordedTool === undefined ? reason : { ...reason, tool: recordedTool };
      case "approval_denied":
        return words ? reason : { ...reason, reason: null };
      case "arguments_suspicious":
        return { ...reason, path: visiblePath(reason.path, recorded) };
      case "argument_untrusted": {
        const shown = reason.arguments.map((one) => ({ ...one, path: visiblePath(one.path, recorded) }));
        return { ...reason, arguments: shown };
      }
      case "arguments_invalid": {
        const issues = reason.issues.map((issue) => ({ ...issue, path: visiblePath(issue.path, recorded) }));
        return { ...reason, issues };
      }
      case "intent_unknown":
        // What the model wrote into the handshake is an argument like any other.
        return recorded === null ? { ...reason, intent: "" } : reason;
      default:
        return reason;
    }
  });
}

/** Without the names that a redacted value holds; undefined if there are none. */
export function recordOrigins({ origins, recorded }: Pick<CallToDecide, "origins" | "recorded">) {
  if (!origins?.length) return undefined;
  return origins.map((origin) => ({ ...origin, path: visiblePath(origin.path, recorded) }));
}

/** The part of a JSON pointer that the recorded arguments hold: the names below a redacted value are hidden too. */
function visiblePath(path: string, recorded: unknown): string {
  let value = recorded;
  let visible = "";
  for (const key of pointerKeys(path)) {
    if (typeof value !== "object" || value === null || (isObject(value) && !Object.hasOwn(value, key))) break;
    visible += toPointer([key]);
    value = valueAt(value, [key]);
  }
  return visible;
}
