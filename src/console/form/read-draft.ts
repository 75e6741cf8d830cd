/** From what a person wrote to the value, or to what is wrong with it. Pure. */

import { toPointer } from "../../lib/json/json-value.ts";
import { parseStrictJson, survivesRoundTrip } from "../../lib/json/strict-json.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { Draft, Drafts } from "./draft.ts";
import { type Field, HIDDEN, type Input } from "./field.ts";

export type FieldFault = "number" | "whole" | "digits" | "json" | "missing";

export interface FieldProblem {
  /** JSON pointer. */
  readonly path: string;
  readonly fault: FieldFault;
}

type Read = Result<unknown, readonly FieldProblem[]>;

/** Undefined for what is left out. */
function readDraft(field: Field, draft: Draft, path: string): Read {
  switch (draft.state) {
    case "absent":
      return field.required ? wrong(path, "missing") : ok(undefined);
    case "null":
      return ok(null);
    case "hidden":
      return ok(HIDDEN);
    case "given":
      return readInput(field.input, draft, path);
  }
}

export function readMembers(
  fields: readonly Field[],
  drafts: Drafts,
  path: string,
): Result<Readonly<Record<string, unknown>>, readonly FieldProblem[]> {
  const problems: FieldProblem[] = [];
  const members: [string, unknown][] = [];
  for (const field of fields) {
    const draft = drafts[field.name];
    if (!draft) continue;
    const read = readDraft(field, draft, path + toPointer([field.name]));
    if (!read.ok) problems.push(...read.error);
    else if (read.value !== undefined) members.push([field.name, read.value]);
  }
  return problems.length > 0 ? err(problems) : ok(Object.fromEntries(members));
}

function readInput(input: Input, draft: Draft, path: string): Read {
  switch (input.kind) {
    case "list": {
      const read = draft.items.map((text, index) => readText(input.item, text, `${path}/${index}`));
      const problems = read.flatMap((one) => (one.ok ? [] : one.error));
      return problems.length > 0 ? err(problems) : ok(read.map((one) => (one.ok ? one.value : undefined)));
    }
    case "group":
      return readMembers(input.fields, draft.members, path);
    default:
      return readText(input, draft.text, path);
  }
}

function readText(input: Input, text: string, path: string): Read {
  switch (input.kind) {
    case "number":
      return readNumber(text.trim(), input.whole, path);
    case "truth":
      return ok(text === "true");
    case "choice":
      return ok(input.options[Number(text)]);
    case "json":
      return readJson(text, path);
    default:
      return ok(text);
  }
}

const NUMBER = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Of a number that is not kept as it was written, another would be approved. */
function readNumber(text: string, whole: boolean, path: string): Read {
  const value = Number(text);
  if (!NUMBER.test(text) || !Number.isFinite(value)) return wrong(path, "number");
  if (!survivesRoundTrip(text)) return wrong(path, "digits");
  return whole && !Number.isSafeInteger(value) ? wrong(path, "whole") : ok(value);
}

function readJson(text: string, path: string): Read {
  const parsed = parseStrictJson(text);
  if (parsed.ok) return parsed;
  switch (parsed.error.problem) {
    case "number":
      return wrong(path, "digits");
    // Nobody has written it, or the gateway says so.
    case "proto_key":
    case "depth":
      return ok(JSON.parse(text));
    default:
      return wrong(path, "json");
  }
}

const wrong = (path: string, fault: FieldFault): Read => err([{ path, fault }]);
