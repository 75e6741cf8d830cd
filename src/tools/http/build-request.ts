/** Builds the HTTP request of a call, without its headers. Pure. */
import { decoded } from "../../lib/json/json-schema.ts";
import { isObject } from "../../lib/json/json-value.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { argumentOf, referencesIn } from "../../policy/document/request-template.ts";
import type { HttpRun } from "../../policy/document/run-parts.ts";
import { type FilledArgument, fillTemplate, fillText, isScalar, type TemplateValues } from "../templates.ts";

export interface BuiltRequest {
  readonly url: string;
  readonly body: FilledBody | undefined;
}

/** The error gives the reason without any value. */
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

interface BodyTemplate {
  readonly body?: unknown;
  readonly form: boolean;
  /** The URL and its query: the arguments that they name are not sent twice. */
  readonly url: string;
}

interface FilledBody {
  readonly text: string;
  readonly contentType: string;
}

type Values = Omit<TemplateValues, "secrets">;

/** The error gives the reason without any value. */
function fillBody({ body, form, url }: BodyTemplate, values: Values): Result<FilledBody, string> {
  const filled = body === undefined ? ok(Object.fromEntries(restOf(url, values.arguments))) : fillJson(body, values);
  if (!filled.ok) return filled;
  if (!form) return ok({ text: JSON.stringify(filled.value ?? null), contentType: "application/json" });
  const { value } = filled;
  if (!isObject(value)) return err("a form must be an object");
  const fields = new URLSearchParams();
  for (const [name, field] of Object.entries(value)) {
    for (const one of Array.isArray(field) ? (field as unknown[]) : [field]) {
      if (one !== null && one !== undefined) fields.append(name, isScalar(one) ? String(one) : JSON.stringify(one));
    }
  }
  return ok({ text: fields.toString(), contentType: "application/x-www-form-urlencoded" });
}

/** Undefined if the template names a missing value: then its object or list leaves it out. */
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

interface UrlTemplate {
  readonly url: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** Without a `query` in the policy, all arguments that the URL does not name go into the query. */
  readonly takesRest: boolean;
}

/** The error gives the reason without any value. */
function fillUrl(
  { url, query, takesRest }: UrlTemplate,
  values: Omit<TemplateValues, "secrets">,
): Result<string, string> {
  if (url.includes("#")) return err("the URL holds a fragment, which is never sent");
  const at = url.indexOf("?");
  const path = fillPath(at === -1 ? url : url.slice(0, at), values);
  if (!path.ok) return path;
  const pairs: string[] = [];
  for (const pair of pairsOf(url)) {
    const filled = fillText(pair, values, encodeURIComponent);
    if (filled.kind === "unfit") return err(filled.why);
    if (filled.kind === "value") pairs.push(String(filled.value));
  }
  const more = query ? filledQuery(query, values) : ok(takesRest ? restOf(url, values.arguments) : []);
  if (!more.ok) return more;
  if (!query && setsOneOf({ url }, more.value, values)) return err(SET_ALREADY);
  for (const [name, value] of more.value) pairs.push(...written(name, value));
  return ok(pairs.length === 0 ? path.value : `${path.value}?${pairs.join("&")}`);
}

const pairsOf = (url: string): readonly string[] => {
  const at = url.indexOf("?");
  return at === -1
    ? []
    : url
        .slice(at + 1)
        .split("&")
        .filter((pair) => pair !== "");
};

const SET_ALREADY = "an argument has the name of a parameter that the URL or the gateway sets itself";

/**
 * Whether the model's arguments would set what the URL or the gateway sets. Given two parameters of one name, many servers take the last, or that
 * of the body; PHP and others first normalise the names.
 */
function setsOneOf(
  { url, query = {} }: Pick<UrlTemplate, "url" | "query">,
  entries: readonly (readonly [name: string, value: unknown])[],
  { system }: Pick<TemplateValues, "system">,
): boolean {
  const inUrl = pairsOf(url).map((pair) => decoded(pair.split("=", 1)[0] ?? ""));
  const taken = new Set([...inUrl, ...Object.keys(query), ...Object.keys(system)].map(asServersRead));
  return entries.some(([name]) => !Object.hasOwn(system, name) && taken.has(asServersRead(name)));
}

const asServersRead = (name: string): string =>
  (name.split("[", 1)[0] ?? "").trim().replace(/[ +.]/g, "_").toLowerCase();

/** The arguments that the texts do not name. */
function restOf(
  texts: string,
  args: Readonly<Record<string, unknown>>,
): readonly (readonly [name: string, value: unknown])[] {
  const named = new Set(referencesIn(texts).map(argumentOf));
  return Object.entries(args).filter(([name]) => !named.has(name));
}

function fillPath(template: string, values: TemplateValues): Result<string, string> {
  const segments: string[] = [];
  for (const segment of template.split("/")) {
    if (!segment.includes("{{")) {
      segments.push(segment);
      continue;
    }
    let fault: string | undefined;
    const filled = fillText(segment, values, (text) => {
      fault ??= faultOf(text);
      return encodeURIComponent(text);
    });
    if (filled.kind !== "value") return err(whyOf(filled));
    if (fault !== undefined) return err(fault);
    const text = String(filled.value);
    if (text === "") return err("an argument leaves a segment of the path empty");
    if (isDots(text)) return err("an argument climbs out of its place in the path");
    segments.push(text);
  }
  return ok(segments.join("/"));
}

const isDots = (segment: string): boolean => /^(\.|%2e){1,2}$/i.test(segment);

/** Some servers decode a path before they look for `..`, and some decode it twice. */
function faultOf(value: string): string | undefined {
  let text = value;
  for (let times = 0; times < 3; times++) {
    if (hasControls(text)) return "an argument holds a control character";
    if (/[/\\]/.test(text) && text.split(/[/\\]/).some(isDots))
      return "an argument climbs out of its place in the path";
    text = decoded(text);
  }
  return undefined;
}

const hasControls = (text: string): boolean =>
  [...text].some((one) => one.charCodeAt(0) < 0x20 || one.charCodeAt(0) === 0x7f);

function filledQuery(
  query: Readonly<Record<string, string>>,
  values: TemplateValues,
): Result<readonly (readonly [name: string, value: unknown])[], string> {
  const entries: [string, unknown][] = [];
  for (const [name, template] of Object.entries(query)) {
    const filled = fillTemplate(template, values);
    if (filled.kind === "unfit") return err(filled.why);
    if (filled.kind === "value") entries.push([name, filled.value]);
  }
  return ok(entries);
}

/** A list of plain values repeats the name; any other value that is no text is JSON. */
function written(name: string, value: unknown): readonly string[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value) && value.every(isScalar)) return value.flatMap((one: unknown) => written(name, one));
  const text = isScalar(value) ? String(value) : JSON.stringify(value);
  return [`${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(text.toWellFormed())}`];
}

const whyOf = (filled: Exclude<FilledArgument, { kind: "value" }>): string =>
  filled.kind === "unfit" ? filled.why : `\`${filled.reference}\` is missing, and the URL needs it`;
