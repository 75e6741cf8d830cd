/** What the keywords of a JSON Schema that hold no schemas may hold. Pure. Refuses what the validator's library refuses. */
import { nearestName } from "../lib/nearest-name.ts";
import { compilePattern } from "./linear-pattern.ts";

const typeNames = ["null", "boolean", "number", "integer", "string", "object", "array"];

/** @returns what is wrong; undefined where nothing is. Most keywords may be null, which many serialisers write for "absent". */
export function valueFault(keyword: string, value: unknown): string | undefined {
  switch (keyword) {
    case "pattern":
      return patternFault(value);
    case "enum":
      return Array.isArray(value) ? undefined : "`enum` must be a list";
    case "const":
    case "minContains":
    case "maxContains":
      return undefined;
  }
  if (value === null || value === undefined) return undefined;
  switch (keyword) {
    case "type":
      return typeFault(value);
    case "required":
      return isListOfStrings(value) ? undefined : "`required` must be a list of strings";
    case "format":
      return typeof value === "string" ? undefined : "`format` must be a string";
    case "uniqueItems":
      return typeof value === "boolean" ? undefined : "`uniqueItems` must be true or false";
    case "dependentRequired":
      return isObject(value) && Object.values(value).every(isListOfStrings)
        ? undefined
        : "`dependentRequired` must be an object of lists of strings";
    // Draft 4 has true and false here.
    case "exclusiveMinimum":
    case "exclusiveMaximum":
      return typeof value === "number" || typeof value === "boolean" ? undefined : `\`${keyword}\` must be a number`;
    default:
      return typeof value === "number" ? undefined : `\`${keyword}\` must be a number`;
  }
}

/** A null is passed over, as by the library. */
export const isListOfStrings = (value: unknown): boolean =>
  Array.isArray(value) && (value.find((one) => typeof one !== "string") ?? null) === null;

function patternFault(value: unknown): string | undefined {
  if (typeof value !== "string") return "`pattern` must be a string";
  const compiled = compilePattern(value);
  return compiled.ok ? undefined : `its pattern is not supported: ${compiled.error}`;
}

function typeFault(value: unknown): string | undefined {
  const wrong = (Array.isArray(value) ? value : [value]).find((name) => !typeNames.includes(name));
  if (wrong === undefined) return undefined;
  if (typeof wrong !== "string") return "`type` must be a string or a list of strings";
  const near = nearestName(wrong, typeNames);
  const advice = near === undefined ? `use one of ${typeNames.join(", ")}` : `did you mean \`${near}\`?`;
  return `\`${wrong.slice(0, 100)}\` is no type, ${advice}`;
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
