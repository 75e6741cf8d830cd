/**
 * Compiled models of the layer `semantic` in KV:
 *
 *   semantic:<format>:<made with>:<training set>    SHA-256 of the model (32 bytes), then the model
 *
 * Every part of the key is a digest or a version, so a value never changes its meaning: a model of a later format, other vectors
 * or other words has another key. A reader must expect that there is none.
 */
import { createHash } from "node:crypto";
import { boundedCache, CACHE_BYTES } from "../../lib/bounded-cache.ts";
import { withTimeout } from "../../lib/deadline.ts";
import { sha256Hex } from "../../lib/digest.ts";
import { describeError, log } from "../../lib/log.ts";
import { err, ok, type Result } from "../../lib/result.ts";

/** A key-value store of bytes, such as a Workers `KVNamespace`. Otherwise as `KvPort`. */
export interface BytesKv {
  get(key: string, type: "arrayBuffer"): Promise<ArrayBuffer | null>;
  put(key: string, value: ArrayBuffer): Promise<void>;
}

/** KV takes 25 MiB. */
const MAX_MODEL_BYTES = 24 * 1024 * 1024;
const DIGEST_BYTES = 32;
const ANSWER_MS = 10_000;

/** @param madeWith names what else the model depends on: the word vectors, or the embedding model. */
export const modelKey = (format: string, madeWith: string, trainingSet: string): string =>
  `semantic:${format}:${sha256Hex(madeWith).slice(0, 32)}:${trainingSet}`;

export function sealModel(model: Uint8Array): Uint8Array<ArrayBuffer> {
  const sealed = new Uint8Array(DIGEST_BYTES + model.length);
  sealed.set(digestOf(model));
  sealed.set(model, DIGEST_BYTES);
  return sealed;
}

function openModel(sealed: ArrayBuffer): Result<Uint8Array, "damaged"> {
  if (sealed.byteLength <= DIGEST_BYTES) return err("damaged");
  const model = new Uint8Array(sealed, DIGEST_BYTES);
  const digest = new Uint8Array(sealed, 0, DIGEST_BYTES);
  return digestOf(model).every((byte, place) => byte === digest[place]) ? ok(model) : err("damaged");
}

/** Undefined if there is none. Throws if KV fails. */
export async function readModel(
  kv: Pick<BytesKv, "get">,
  key: string,
): Promise<Result<Uint8Array, "damaged"> | undefined> {
  const sealed = await withTimeout(ANSWER_MS, kv.get(key, "arrayBuffer"));
  return sealed === null ? undefined : openModel(sealed);
}

/** Throws if KV fails, or the model is larger than it takes. */
export async function writeModel(kv: Pick<BytesKv, "put">, key: string, model: Uint8Array): Promise<void> {
  if (model.length > MAX_MODEL_BYTES) throw new Error(`the model has ${model.length} bytes, more than KV takes`);
  await withTimeout(ANSWER_MS, kv.put(key, sealModel(model).buffer));
}

const digestOf = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();

type LoadFailure = "absent" | "unreadable" | "failed";

export interface CompiledModels<M> {
  /** The model, if the isolate has it. */
  held(key: string): M | undefined;
  /** The model, or why there is none now. @param read makes it of its bytes. */
  get(key: string, read: (bytes: Uint8Array) => Result<M, string>, heal: () => void): Promise<M | LoadFailure>;
}

interface CompiledModelsOptions {
  readonly kv: Pick<BytesKv, "get">;
  /** The size of a model in memory for each byte that is stored. */
  readonly growth: number;
  readonly now: () => number;
}

/** How long an isolate does not ask KV again for a missing key; a new key is visible in KV within 60 s. */
const ASK_AGAIN_MS = 30_000;
const RETRY_MS = 5_000;

export function compiledModels<M extends object>(options: CompiledModelsOptions): CompiledModels<M> {
  const { kv, growth, now } = options;
  const held = boundedCache<M>({ maxBytes: CACHE_BYTES.semanticModels });
  const missing = boundedCache<{ readonly why: LoadFailure; readonly until: number }>({
    maxBytes: CACHE_BYTES.missingModels / 2,
  });
  const logged = boundedCache<true>({ maxBytes: CACHE_BYTES.missingModels / 2 });

  const miss = (key: string, why: LoadFailure, error?: unknown): LoadFailure => {
    missing.set(key, { why, until: now() + (why === "failed" ? RETRY_MS : ASK_AGAIN_MS) }, 50);
    if (!logged.get(`${why} ${key}`))
      log("warn", `semantic_model_${why}`, { key, ...(error ? describeError(error) : {}) });
    logged.set(`${why} ${key}`, true, 0);
    return why;
  };

  async function load(
    key: string,
    read: (bytes: Uint8Array) => Result<M, string>,
    heal: () => void,
  ): Promise<M | LoadFailure> {
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
    held: (key) => held.get(key),
    async get(key, read, heal) {
      const known = held.get(key);
      if (known) return known;
      const gone = missing.get(key);
      return gone && now() < gone.until ? gone.why : load(key, read, heal);
    },
  };
}
