/** What others have written, as a person can read all of it. Pure. */
import { isObject } from "../../lib/json/json-value.ts";
import { withoutUnseen } from "../../lib/text/unseen-characters.ts";

/** Every text of it without characters that do not show. */
export function visible<T>(value: T): T {
  if (typeof value === "string") return withoutUnseen(value) as T;
  if (Array.isArray(value)) return value.map(visible) as T;
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, visible(part)])) as T;
}
