/** The one shape of a list, as in OpenAI's API. Pure. */
import { badRequest, type Problem } from "./problem.ts";

/** Entries without an `id` come all at once: such a list has no cursors. */
export function listBody(data: readonly object[], hasMore = false) {
  return {
    object: "list",
    data,
    first_id: idOf(data[0]),
    last_id: idOf(data.at(-1)),
    has_more: hasMore,
  };
}

const idOf = (entry: object | undefined): unknown => (entry !== undefined && "id" in entry ? entry.id : null);

/** An error, since an empty page would read as the end of the list. @param entry with its article: `a call`. */
export const unknownCursor = (entry: string): Problem =>
  badRequest("after", `\`after\` must be the id of ${entry} in this list`);
