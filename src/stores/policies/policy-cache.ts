/**
 * Compiled policies, cached in the isolate by digest and compiler version; tenants with the same document share one. A document that
 * does not compile is remembered as such too: it would otherwise be compiled at every request.
 */
import { boundedCache, CACHE_BYTES } from "../../lib/bounded-cache.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { LoadedPolicy, PolicySource, PolicyUnavailable } from "./policy-source.ts";

interface CompiledVersion<C> extends Omit<LoadedPolicy, "document" | "size"> {
  readonly policy: C;
}

type PolicyFailure<E> =
  | { readonly kind: PolicyUnavailable }
  /** The document in KV is not one that this compiler takes; nothing else is served in its place. */
  | { readonly kind: "policy_invalid"; readonly digest: string; readonly errors: E };

export interface CompiledPolicies<C, E> {
  get(tenant: string, now: number): Promise<Result<CompiledVersion<C>, PolicyFailure<E>>>;
  /** As of `PolicySource`. */
  readonly noteWritten: PolicySource["noteWritten"];
  readonly degraded: PolicySource["degraded"];
}

interface CompiledPoliciesOptions<C, E> {
  readonly source: PolicySource;
  readonly compile: (document: unknown) => Result<C, E>;
  /** Changes whenever the same document may compile to something else. */
  readonly compilerVersion: string;
  /** The size of a compiled policy, by it and the length of its document. */
  readonly bytesOf: (policy: C, length: number) => number;
  /** For tests. */
  readonly maxBytes?: number;
}

/** For a document with errors: the result lists each. */
const BYTES_PER_CHARACTER = 100;

export function compiledPolicies<C, E>(options: CompiledPoliciesOptions<C, E>): CompiledPolicies<C, E> {
  const { source, compile, compilerVersion, bytesOf, maxBytes = CACHE_BYTES.policies } = options;
  const cache = boundedCache<Result<C, E>>({ maxBytes });

  function compiled({ digest, document, size }: LoadedPolicy): Result<C, E> {
    const key = `${compilerVersion}:${digest}`;
    const known = cache.get(key);
    if (known) return known;
    const result = compile(document);
    cache.set(key, result, result.ok ? bytesOf(result.value, size) : size * BYTES_PER_CHARACTER);
    return result;
  }

  return {
    async get(tenant, now) {
      const loaded = await source.load(tenant, now);
      if (!loaded.ok) return err({ kind: loaded.error });
      const { digest, source: origin, stale } = loaded.value;
      const result = compiled(loaded.value);
      if (!result.ok) return err({ kind: "policy_invalid", digest, errors: result.error });
      return ok({ policy: result.value, digest, source: origin, stale });
    },
    noteWritten: source.noteWritten,
    degraded: source.degraded,
  };
}
