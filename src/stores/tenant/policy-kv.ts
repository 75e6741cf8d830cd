/** The ledger's hands on KV. A store that does not answer must not hold up the tenant's other writes for ever. */

import { within } from "../../lib/deadline.ts";
import { sha256Hex } from "../../lib/digest.ts";
import type { KvPort } from "../../ports/kv-port.ts";
import { documentKey, type PolicyPointer, pointerKey, readPointer, writePointer } from "../policies/policy-pointer.ts";

const ANSWER_MS = 10_000;

export interface LedgerKv {
  /** "broken" where what stands there is no pointer. Throws where KV fails, as all of these do. */
  pointer(tenant: string): Promise<PolicyPointer | null | "broken">;
  /** Null where there is none, or not the one that the digest promises. */
  document(digest: string): Promise<string | null>;
  putPointer(tenant: string, pointer: PolicyPointer): Promise<void>;
  putDocument(digest: string, text: string): Promise<void>;
}

export function ledgerKv(kv: () => Pick<KvPort, "get" | "put">): LedgerKv {
  const get = (key: string) => within(ANSWER_MS, kv().get(key));
  const put = (key: string, value: string) => within(ANSWER_MS, kv().put(key, value));
  return {
    async pointer(tenant) {
      const text = await get(pointerKey(tenant));
      try {
        return readPointer(text);
      } catch {
        return "broken";
      }
    },
    async document(digest) {
      const text = await get(documentKey(digest));
      return text !== null && sha256Hex(text) === digest ? text : null;
    },
    putPointer: (tenant, pointer) => put(pointerKey(tenant), writePointer(pointer)),
    putDocument: (digest, text) => put(documentKey(digest), text),
  };
}
