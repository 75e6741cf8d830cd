/** Verifies the chain of one user's records, as `toolgate audit verify` does: the gateway checks it page by page. */

import type { FaultyRecord, VerificationView } from "../../api-views/trail-views.ts";
import { call, type Failure } from "../api/call.ts";

export type Seal =
  | { readonly state: "empty" }
  | {
      readonly state: "whole";
      readonly from: number;
      readonly to: number;
      /** Records that are not in the database yet. */
      readonly waiting: number;
    }
  | {
      readonly state: "broken";
      /** Undefined: the checkpoint that retention has left does not match the chain. */
      readonly message: string | undefined;
      readonly record: FaultyRecord | null;
    }
  | { readonly state: "failed"; readonly failure: Failure };

export async function verifyChain(user: string): Promise<Seal> {
  let after: number | null = null;
  let from: number | undefined;
  for (;;) {
    const query: string = new URLSearchParams({ user, ...(after === null ? {} : { after: String(after) }) }).toString();
    const page = await call<VerificationView>(`/v1/audit/verify?${query}`);
    if (!page.ok) return { state: "failed", failure: page.error };
    const { ok, problem, head, waiting, next_after: next, from: first, to } = page.value;
    if (!ok) return { state: "broken", message: problem?.message, record: problem?.record ?? null };
    if (head === null) return { state: "empty" };
    from ??= first ?? 1;
    if (next === null) return { state: "whole", from, to: to ?? 0, waiting };
    after = next;
  }
}
