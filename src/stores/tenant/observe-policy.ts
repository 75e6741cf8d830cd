/**
 * The policy in force, from the ledger and KV together. Policies may be written into KV without the ledger (by `npm start`, and by
 * gateways that had no ledger): the ledger adopts a pointer that is later than its own as a version. An earlier pointer never
 * replaces an acknowledged version: KV may show it for 60 s more; after that the ledger writes its own again.
 */
import { withTimeout } from "../../lib/deadline.ts";
import { sha256Hex } from "../../lib/digest.ts";
import { describeError, log } from "../../lib/log.ts";
import type { KvPort } from "../../ports/kv-port.ts";
import type { PolicyInForce } from "../../ports/tenant-ledger-port.ts";
import {
  documentKey,
  EVERYWHERE_MS,
  type PolicyPointer,
  pointerKey,
  readPointer,
  writePointer,
} from "../policies/policy-source.ts";
import { addDocument, addVersion, documentText, lastVersion, readPointerNote, savePointer } from "./policies-schema.ts";

export interface LedgerContext {
  readonly storage: DurableObjectStorage;
  readonly kv: LedgerKv;
  readonly schedule: (at: number) => void;
}

/** `unavailable`: KV is needed and failed. `broken`: KV holds no valid pointer, and the ledger has no version. */
export async function observePolicy(
  context: LedgerContext,
  tenant: string,
  now: number,
): Promise<PolicyInForce | "unavailable" | "broken"> {
  const { storage, kv, schedule } = context;
  let pointer: PolicyPointer | null | "broken";
  try {
    pointer = await kv.pointer(tenant);
  } catch (error) {
    // The acknowledged version is in force, as far as the ledger knows.
    if (readPointerNote(storage.sql)) return inForce(context);
    log("error", "policy_unreadable", describeError(error));
    return "unavailable";
  }
  const note = readPointerNote(storage.sql);
  if (pointer !== null && pointer !== "broken" && pointer.at > (note?.at ?? -1)) {
    const adopted = await adoptPolicy(context, tenant, pointer);
    return adopted ? inForce(context) : "unavailable";
  }
  if (!note) return pointer === "broken" ? "broken" : inForce(context);
  const agrees = pointer !== null && pointer !== "broken" && pointer.at === note.at;
  if (!agrees && note.state === "settled" && now - note.at > EVERYWHERE_MS) {
    savePointer(storage.sql, { ...note, state: "unsettled", due: now });
    schedule(now);
  }
  return inForce(context);
}

/** @returns false if KV failed on the document. A version whose document KV does not have is adopted without it. */
export async function adoptPolicy(
  { storage, kv }: LedgerContext,
  tenant: string,
  { digest, at }: PolicyPointer,
): Promise<boolean> {
  const last = lastVersion(storage.sql);
  let text: string | null = digest === null ? null : documentText(storage.sql, digest);
  try {
    if (digest !== null && text === null) text = await kv.document(digest);
  } catch (error) {
    log("error", "policy_unreadable", describeError(error));
    return false;
  }
  storage.transactionSync(() => {
    // `npm start` puts its file at every start: the same again is no new version.
    const same = (last?.digest ?? null) === digest && (digest === null || documentText(storage.sql, digest) === text);
    if (!same) addVersion(storage.sql, { digest, at, by: null, action: "adopted" }, text);
    savePointer(storage.sql, { tenant, at, state: "settled", due: null });
  });
  return true;
}

/** KV may have the document now, if it did not have it with the pointer. */
async function inForce({ storage, kv }: LedgerContext): Promise<PolicyInForce> {
  const version = lastVersion(storage.sql) ?? null;
  if (!version?.digest) return { version, text: null };
  const held = documentText(storage.sql, version.digest);
  if (held !== null) return { version, text: held };
  const text = await kv.document(version.digest).catch(() => null);
  if (text !== null) addDocument(storage.sql, version.digest, text);
  return { version, text };
}

const ANSWER_MS = 10_000;

interface LedgerKv {
  /** "broken": the value is no pointer. Throws if KV fails, as all of these do. */
  pointer(tenant: string): Promise<PolicyPointer | null | "broken">;
  /** Null if there is none, or its digest is another. */
  document(digest: string): Promise<string | null>;
  putPointer(tenant: string, pointer: PolicyPointer): Promise<void>;
  putDocument(digest: string, text: string): Promise<void>;
}

export function ledgerKv(kv: () => Pick<KvPort, "get" | "put">): LedgerKv {
  const get = (key: string) => withTimeout(ANSWER_MS, kv().get(key));
  const put = (key: string, value: string) => withTimeout(ANSWER_MS, kv().put(key, value));
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
