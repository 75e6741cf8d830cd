/** From what a person wrote to the value, or to what is wrong with it. Pure. */
import { err, ok, type Result } from "../../lib/result.ts";
import type { Draft, Drafts } from "./draft.ts";
import { type Field, HIDDEN, type Input } from "./field.ts";

export type FieldFault = "number" | "whole" | "json" | "missing";

export interface FieldProblem {
  /** JSON pointer. */
  readonly path: string;
  readonly fault: FieldFault;
}

type Read = Result<unknown, readonly FieldProblem[]>;

/** Undefined for what is left out. */
export function readDraft(field: Field, draft: Draft, path: string): Read {
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
    const read = readDraft(field, draft, `${path}/${escaped(field.name)}`);
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
    case "number": {
      const value = Number(text);
      if (text.trim() === "" || !Number.isFinite(value)) return wrong(path, "number");
      return input.whole && !Number.isSafeInteger(value) ? wrong(path, "whole") : ok(value);
    }
    case "truth":
      return ok(text === "true");
    case "choice":
      return ok(input.options[Number(text)]);
    case "json":
      try {
        return ok(JSON.parse(text));
      } catch {
        return wrong(path, "json");
      }
    default:
      return ok(text);
  }
}

const wrong = (path: string, fault: FieldFault): Read => err([{ path, fault }]);

export const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");
