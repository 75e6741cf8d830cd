/**
 * Candidates: a policy beside the one in force, which judges the same turns and decides nothing. KV has it under
 * `policy:candidate:<tenant>`, a pointer like that of the policy in force (`policy-source.ts`) with its author; `digest` null: none.
 * It needs no ledger: nothing depends on which of two writes at the same moment stays.
 */
import type { Result } from "../../lib/result.ts";
import type { KvPort } from "../../ports/kv-port.ts";
import type { CompiledPolicies } from "./policy-cache.ts";
import { compiledPolicies } from "./policy-cache.ts";
import { documentKey, type PolicySource, pointerKey, policySource } from "./policy-source.ts";

interface CandidateNote {
  readonly digest: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly by: string;
}

export interface Candidates<C> {
  /** The compiled one; undefined if there is none, or none that can be read. Cached in the isolate for a minute. */
  compiled(tenant: string, now: number): Promise<C | undefined>;
  /** As KV has it. These throw if KV fails. */
  find(tenant: string): Promise<(CandidateNote & { readonly text: string }) | undefined>;
  /** @param text the document, found valid. */
  put(tenant: string, note: CandidateNote, text: string): Promise<void>;
  remove(tenant: string, at: number): Promise<void>;
}

interface CandidatesOptions<C, E> {
  readonly kv: KvPort;
  readonly compile: (document: unknown) => Result<C, E>;
  readonly compilerVersion: string;
  readonly bytesOf: (policy: C, length: number) => number;
}

/** A few tenants try a candidate at a time. */
const MAX_BYTES = 2_000_000;

const candidateKey = (tenant: string): string => `policy:candidate:${tenant}`;

export function candidatePolicies<C, E>({ kv, ...options }: CandidatesOptions<C, E>): Candidates<C> {
  const source: PolicySource = policySource(
    // A tenant without a pointer has the fallback, which means none.
    { get: (key) => kv.get(key.startsWith(pointerKey("")) ? candidateKey(key.slice(pointerKey("").length)) : key) },
    { document: {}, digest: "" },
    "candidate_unreadable",
  );
  const policies: CompiledPolicies<C, E> = compiledPolicies({ source, ...options, maxBytes: MAX_BYTES });

  async function note(tenant: string): Promise<CandidateNote | undefined> {
    const text = await kv.get(candidateKey(tenant));
    const found = text === null ? undefined : (JSON.parse(text) as CandidateNote & { digest: string | null });
    return found?.digest ? found : undefined;
  }

  return {
    async compiled(tenant, now) {
      const loaded = await source.load(tenant, now);
      if (!loaded.ok || loaded.value.source === "embedded") return undefined;
      const found = await policies.get(tenant, now);
      return found.ok ? found.value.policy : undefined;
    },
    async find(tenant) {
      const found = await note(tenant);
      const text = found && (await kv.get(documentKey(found.digest)));
      return found && text ? { ...found, text } : undefined;
    },
    async put(tenant, { digest, at, by }, text) {
      await kv.put(documentKey(digest), text);
      await kv.put(candidateKey(tenant), JSON.stringify({ digest, at, by }));
      source.noteWritten(tenant, { digest, at }, text, at);
    },
    async remove(tenant, at) {
      await kv.put(candidateKey(tenant), JSON.stringify({ digest: null, at }));
      source.noteWritten(tenant, { digest: null, at }, null, at);
    },
  };
}
