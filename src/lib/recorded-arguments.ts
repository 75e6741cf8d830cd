/** A call's arguments as the record keeps them: redacted, and no longer than a row of the audit database should be. */
import { redactArguments } from "./redact.ts";

/** UTF-16 units of JSON. D1 refuses rows of 2 MB, and a refused row would hold up all that come after it. */
const MAX_RECORDED = 32 * 1024;
const CUT = "[cut]";
const KEPT_OF_LONGER = 2 * 1024;

/** @param redact names and paths, as the policy gives them. */
export function recordedArguments(
  value: Readonly<Record<string, unknown>>,
  redact: readonly string[],
): Readonly<Record<string, unknown>> {
  const redacted = redactArguments(value, redact);
  const text = JSON.stringify(redacted);
  if (text.length <= MAX_RECORDED) return redacted;
  return { [CUT]: { characters: text.length, beginning: text.slice(0, KEPT_OF_LONGER) } };
}

/** By its own mark; a tool's argument of that name is taken for it, and not told. */
export const isCutShort = (recorded: Readonly<Record<string, unknown>>): boolean => Object.hasOwn(recorded, CUT);
