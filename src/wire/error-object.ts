/** An upstream's error in OpenAI's shape: `message`, `type`, `code` and `param`, each a string, the last two or null. Pure. */

import { isObject, type JsonObject } from "../lib/json/json-value.ts";
import { foldKey } from "../lib/names.ts";
import { findCallName } from "./call-names.ts";

const OWN: ReadonlySet<string> = new Set(["message", "type", "code", "param", "toolgate"]);

/**
 * @param error whatever the upstream sent as `error`. Its other members stay (`metadata`, `failed_generation`), unless some
 *   reader could find a call in them.
 * @param fallback the message of an error that has none.
 */
export function errorObject(error: unknown, fallback = "the upstream reported an error"): JsonObject {
  const given = isObject(error) ? error : {};
  const others = Object.entries(given).filter(([key]) => !OWN.has(foldKey(key)));
  const hidden = findCallName(given) !== undefined;
  return {
    message: textOf(given.message) ?? textOf(error) ?? fallback,
    type: textOf(given.type) ?? "upstream_error",
    code: textOf(given.code) ?? null,
    param: textOf(given.param) ?? null,
    ...(hidden ? {} : Object.fromEntries(others)),
  };
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}
