/** Settings that are written as JSON: every error at once, each with its place and what to do, and without the value. Pure. */
import type { z } from "zod";
import { err, ok, type Result } from "../lib/result.ts";
import { didYouMean } from "../lib/text/nearest-name.ts";

/** @param form how the setting is written, to be put behind "write". */
export function readJsonSetting<S extends z.ZodType>(
  name: string,
  text: string,
  schema: S,
  form: string,
): Result<z.output<S>, readonly string[]> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return err([`${name} is not JSON: write ${form}`]);
  }
  const parsed = schema.safeParse(json, { error: wording });
  if (parsed.success) return ok(parsed.data);
  return err(
    parsed.error.issues.map(({ code, path, message }) => {
      if (path.length > 0) return `${name}: ${path.join(".")}: ${message}`;
      return code === "invalid_type" ? `${name} ${message}: write ${form}` : `${name} ${message}`;
    }),
  );
}

const wording: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return "is missing";
      return `must be ${NAMES[issue.expected] ?? issue.expected}, not ${nameOf(issue.input)}`;
    case "unrecognized_keys": {
      const known = issue.inst ? namesIn(issue.inst) : [];
      return issue.keys.map((key) => `has no \`${key}\`${didYouMean(key, known) || ": remove it"}`).join("; ");
    }
    case "invalid_value":
      return `must be one of ${issue.values.map((value) => `\`${String(value)}\``).join(", ")}`;
    case "too_small":
      return issue.origin === "number" ? `must be ${issue.minimum} or more` : "must not be empty";
    case "too_big":
      return `must be ${issue.maximum} or less${issue.origin === "number" ? "" : " long"}`;
    default:
      return undefined;
  }
};

const NAMES: Readonly<Record<string, string>> = {
  array: "a list",
  object: "an object",
  record: "an object",
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
};

function nameOf(value: unknown): string {
  if (value === null) return "null";
  return (Array.isArray(value) ? NAMES.array : NAMES[typeof value]) ?? typeof value;
}

/** The members that an object's schema knows. */
function namesIn({ _zod: { def } }: { readonly _zod: { readonly def: object } }): string[] {
  return "shape" in def && typeof def.shape === "object" && def.shape !== null ? Object.keys(def.shape) : [];
}
