/** What the gateway says of edited arguments, by the field that it is about. Pure. */
import type { Failure } from "../../api/failure.ts";

/** Paths are JSON pointers into the arguments, some with the body's own member before them. */
export function fieldErrors(failure: Failure | undefined): readonly (readonly [string, string])[] {
  if (failure?.kind !== "refused") return [];
  return failure.errors
    .map(({ path, message }) => [path.replace(/^\/?arguments(?=\/|$)/, ""), message] as const)
    .filter(([path]) => path.startsWith("/"));
}
