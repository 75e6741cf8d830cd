/** Tools that no policy names, on their way into a draft: the address of the policy page names them. Pure. */

import type { SeenToolView } from "../../api-views/policy-views.ts";
import { isObject } from "../../lib/json/json-value.ts";

const PARAMETER = "take";

export const takingAddress = (names: readonly string[]): string =>
  `/console/policy?${new URLSearchParams(names.map((name) => [PARAMETER, name]))}`;

export const takenNames = (search: string): readonly string[] => new URLSearchParams(search).getAll(PARAMETER);

/** @returns the document with the guessed entry of each tool that it does not have. */
export function withTools(
  document: Readonly<Record<string, unknown>>,
  tools: readonly Pick<SeenToolView, "name" | "set">[],
): Readonly<Record<string, unknown>> {
  const own = isObject(document.tools) ? document.tools : {};
  const missing = tools.filter(({ name }) => !Object.hasOwn(own, name));
  // Not spread: a tool may be called `__proto__`.
  const entries = [...Object.entries(own), ...missing.map(({ name, set }) => [name, set] as const)];
  return { ...document, tools: Object.fromEntries(entries) };
}
