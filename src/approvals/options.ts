/** What may be answered to one call that waits, in the order it is told. Pure. */
import type { Approval } from "./approval.ts";
import { isCut } from "./cut-values.ts";
import type { Words } from "./words/words.ts";

export function optionsOf(approval: Approval, { frame: { options } }: Words): string[] {
  const { disclosure, editable } = approval;
  return [
    options.yes,
    options.no,
    ...(editable ? [options.edit] : []),
    ...(disclosure.changes.length > 0 || isCut(approval) ? [options.preview] : []),
    ...(disclosure.learnMore !== null ? [options.learnMore] : []),
  ];
}
