/** The request of a call, but for its headers. Pure. */
import { err, ok, type Result } from "../../lib/result.ts";
import type { HttpRun } from "../../policy/document/run-parts.ts";
import { fillTemplate, isScalar, type TemplateValues } from "../templates.ts";
import { fillUrl, restOf, SET_ALREADY, setsOneOf } from "./fill-url.ts";

export interface BuiltRequest {
  readonly url: string;
  readonly body: FilledBody | undefined;
}

/** The error says why, in words that hold no value. */
export function buildRequest(settings: HttpRun, values: Omit<TemplateValues, "secrets">): Result<BuiltRequest, string> {
  const { method, url, query, body, form } = settings;
  const hasBody =
    method === "POST" || method === "PUT" || method === "PATCH" || (method === "DELETE" && body !== undefined);
  const filledUrl = fillUrl({ url, query, takesRest: !hasBody }, values);
  if (!filledUrl.ok) return filledUrl;
  if (!hasBody) return ok({ url: filledUrl.value, body: undefined });
  const named = [url, ...Object.values(query ?? {})].join(" ");
  if (body === undefined && setsOneOf({ url, query }, restOf(named, values.arguments), values)) return err(SET_ALREADY);
  const filledBody = fillBody({ body, form, url: named }, values);
  return filledBody.ok ? ok({ url: filledUrl.value, body: filledBody.value }) : filledBody;
}

export interface BodyTemplate {
  readonly body?: unknown;
  readonly form: boolean;
  /** The URL and its query: what they name is not said again. */
  readonly url: string;
}

export interface FilledBody {
  readonly text: string;
  readonly contentType: string;
}

type Values = Omit<TemplateValues, "secrets">;

/** The error says why, in words that hold no value. */
export function fillBody({ body, form, url }: BodyTemplate, values: Values): Result<FilledBody, string> {
  const filled = body === undefined ? ok(Object.fromEntries(restOf(url, values.arguments))) : fillJson(body, values);
  if (!filled.ok) return filled;
  if (!form) return ok({ text: JSON.stringify(filled.value ?? null), contentType: "application/json" });
  const { value } = filled;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return err("a form must be an object");
  const fields = new URLSearchParams();
  for (const [name, field] of Object.entries(value)) {
    for (const one of Array.isArray(field) ? (field as unknown[]) : [field]) {
      if (one !== null && one !== undefined) fields.append(name, isScalar(one) ? String(one) : JSON.stringify(one));
    }
  }
  return ok({ text: fields.toString(), contentType: "application/x-www-form-urlencoded" });
}

/** Undefined where what it names is missing: then it is left out of what it stands in. */
function fillJson(template: unknown, values: Values): Result<unknown, string> {
  if (typeof template === "string") {
    const filled = fillTemplate(template, values);
    return filled.kind === "unfit" ? err(filled.why) : ok(filled.kind === "value" ? filled.value : undefined);
  }
  if (typeof template !== "object" || template === null) return ok(template);
  if (Array.isArray(template)) {
    const items: unknown[] = [];
    for (const item of template as unknown[]) {
      const filled = fillJson(item, values);
      if (!filled.ok) return filled;
      if (filled.value !== undefined) items.push(filled.value);
    }
    return ok(items);
  }
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(template)) {
    const filled = fillJson(member, values);
    if (!filled.ok) return filled;
    if (filled.value !== undefined) members.push([name, filled.value]);
  }
  return ok(Object.fromEntries(members));
}
