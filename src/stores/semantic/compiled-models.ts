/**
 * Compiled models as one isolate has them: read from KV once, kept by bytes. Where there is none (a policy that an earlier
 * version stored, or that was put past the gateway) or a damaged one, detection goes on without; the log says so once, and
 * `heal` has it made in the background.
 */
import { boundedCache, CACHE_BYTES } from "../../lib/bounded-cache.ts";
import { describeError, log } from "../../lib/log.ts";
import type { Result } from "../../lib/result.ts";
import { type BytesKv, readModel } from "./model-store.ts";

export type Missing = "absent" | "unreadable" | "failed";

export interface CompiledModels<M> {
  /** The model, or why there is none now. */
  get(key: string, heal: () => void): Promise<M | Missing>;
}

interface CompiledModelsOptions<M> {
  readonly kv: Pick<BytesKv, "get">;
  readonly read: (bytes: Uint8Array) => Result<M, string>;
  /** What a model holds for each byte that is stored. */
  readonly growth: number;
  readonly now: () => number;
}

/** How long an isolate does not ask KV again for what it did not have; KV itself shows a new key within 60 s. */
const ASK_AGAIN_MS = 30_000;
const RETRY_MS = 5_000;

export function compiledModels<M extends object>(options: CompiledModelsOptions<M>): CompiledModels<M> {
  const { kv, read, growth, now } = options;
  const held = boundedCache<M>({ maxBytes: CACHE_BYTES.semanticModels });
  const missing = boundedCache<{ readonly why: Missing; readonly until: number }>({
    maxBytes: CACHE_BYTES.missingModels / 2,
  });
  const logged = boundedCache<true>({ maxBytes: CACHE_BYTES.missingModels / 2 });

  const miss = (key: string, why: Missing, error?: unknown): Missing => {
    missing.set(key, { why, until: now() + (why === "failed" ? RETRY_MS : ASK_AGAIN_MS) }, 50);
    if (!logged.get(`${why} ${key}`))
      log("warn", `semantic_model_${why}`, { key, ...(error ? describeError(error) : {}) });
    logged.set(`${why} ${key}`, true, 0);
    return why;
  };

  async function load(key: string, heal: () => void): Promise<M | Missing> {
    try {
      const stored = await readModel(kv, key);
      const opened = stored?.ok ? read(stored.value) : undefined;
      if (stored?.ok && opened?.ok) {
        held.set(key, opened.value, growth * stored.value.length);
        return opened.value;
      }
      heal();
      return miss(key, stored === undefined ? "absent" : "unreadable");
    } catch (error) {
      return miss(key, "failed", error);
    }
  }

  return {
    async get(key, heal) {
      const known = held.get(key);
      if (known) return known;
      const gone = missing.get(key);
      return gone && now() < gone.until ? gone.why : load(key, heal);
    },
  };
}
