/** The request of a call, but for its headers. Pure. */
import { err, ok, type Result } from "../../lib/result.ts";
import type { HttpRun } from "../../policy/document/run-parts.ts";
import type { TemplateValues } from "../templates.ts";
import { type FilledBody, fillBody } from "./fill-body.ts";
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
