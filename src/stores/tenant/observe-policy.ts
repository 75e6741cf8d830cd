/**
 * What is in force, as the ledger and KV together have it. Policies may be written into KV past the ledger (`npm start`
 * does, and gateways without one did): a pointer later than any that the ledger knows is adopted as a version. An earlier
 * one never displaces what the ledger acknowledged: KV may show it for 60 s more; after that it is put right.
 */
import { log } from "../../lib/log.ts";
import type { PolicyInForce } from "../../ports/policy-ledger-port.ts";
import { EVERYWHERE_MS, type PolicyPointer } from "../policies/policy-pointer.ts";
import { addDocument, addVersion, documentText, lastVersion, readPointerNote, savePointer } from "./policies-schema.ts";
import type { LedgerKv } from "./policy-kv.ts";

export interface LedgerContext {
  readonly storage: DurableObjectStorage;
  readonly kv: LedgerKv;
  readonly schedule: (at: number) => void;
}

/** `unavailable`: KV failed and is needed; `broken`: what KV holds is no pointer, and the ledger knows of no version. */
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
    // What was acknowledged is in force all the same, as far as anybody can tell.
    if (readPointerNote(storage.sql)) return inForce(context);
    log("error", "policy_unreadable", { message: error instanceof Error ? error.message : String(error) });
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

/** @returns false where KV failed on the document. One that KV does not have is adopted without. */
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
    log("error", "policy_unreadable", { message: error instanceof Error ? error.message : String(error) });
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

/** A document that KV did not show with its pointer may be there by now. */
async function inForce({ storage, kv }: LedgerContext): Promise<PolicyInForce> {
  const version = lastVersion(storage.sql) ?? null;
  if (!version?.digest) return { version, text: null };
  const held = documentText(storage.sql, version.digest);
  if (held !== null) return { version, text: held };
  const text = await kv.document(version.digest).catch(() => null);
  if (text !== null) addDocument(storage.sql, version.digest, text);
  return { version, text };
}
