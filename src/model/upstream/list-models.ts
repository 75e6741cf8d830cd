/** The models of a provider, as OpenAI lists them, under the names that the gateway's clients use. */
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import type { UpstreamTarget } from "../../settings/upstream-target.ts";
import { readText } from "../relay/body-reader.ts";
import { startUpstreamDeadline } from "./time-limit.ts";
import type { Upstreams } from "./upstreams.ts";

/** Frontends wait some ten seconds for the whole list, and one upstream that hangs must not empty it. */
const LIST_MS = 4_000;
const LIMITS = { connectMs: LIST_MS, firstByteMs: LIST_MS, idleMs: LIST_MS };
/** UTF-16 units: some thousand models. */
const MAX_LIST = 4 * 1024 * 1024;

export interface ListedModel {
  readonly id: string;
  readonly object: "model";
  /** Seconds since the epoch; 0 if the provider does not give it. */
  readonly created: number;
  readonly owned_by: string;
}

type Provider = NonNullable<UpstreamTarget["provider"]>;

/** Rejects if the provider cannot be reached, refuses, or answers with something else. */
export async function listModels(
  upstreams: Upstreams,
  target: UpstreamTarget & { readonly provider: Provider },
  signal: AbortSignal,
): Promise<readonly ListedModel[]> {
  const { provider, baseUrl, apiKey } = target;
  const { query, headers } = requestTo(provider, apiKey);
  const watch = startUpstreamDeadline(LIMITS, signal, false);
  try {
    const asking = upstreams.fetch(`${baseUrl}/models${query}`, { headers, signal: watch.signal, redirect: "manual" });
    watch.onEnd(() => asking.then(({ body }) => body?.cancel()).catch(() => {}));
    const response = await watch.race(asking);
    watch.answered("idle");
    const text = await readText(response, MAX_LIST, watch);
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    const body: unknown = JSON.parse(text);
    const { data, models } = isObject(body) ? body : {};
    const entries = Array.isArray(data) ? data : Array.isArray(models) ? models : [];
    return entries.filter(isObject).flatMap((entry) => readModel(entry, provider));
  } finally {
    watch.stop();
  }
}

/** Each provider lists all its models on one page, or a thousand. */
function requestTo({ kind }: Provider, key: string | undefined): { query: string; headers: Record<string, string> } {
  if (kind === "anthropic")
    return {
      query: "?limit=1000",
      headers: { "anthropic-version": "2023-06-01", ...(key ? { "x-api-key": key } : {}) },
    };
  if (kind === "google") return { query: "?pageSize=1000", headers: key ? { "x-goog-api-key": key } : {} };
  return { query: "", headers: key ? { authorization: `Bearer ${key}` } : {} };
}

function readModel(entry: JsonObject, { name, kind }: Provider): ListedModel[] {
  const methods = entry.supportedGenerationMethods;
  if (kind === "google" && Array.isArray(methods) && !methods.includes("generateContent")) return [];
  const id = kind === "google" ? String(entry.name ?? "").replace(/^models\//, "") : entry.id;
  if (typeof id !== "string" || id === "") return [];
  const time = typeof entry.created_at === "string" ? Date.parse(entry.created_at) / 1000 : entry.created;
  const created = typeof time === "number" && Number.isFinite(time) ? Math.floor(time) : 0;
  return [{ id: `${name}/${id}`, object: "model", created, owned_by: name }];
}
