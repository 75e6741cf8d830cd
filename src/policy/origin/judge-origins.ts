/**
 * The table that decides a call with effects once untrusted text is in the conversation. Pure.
 *
 * | the user's words hold its intent | authority arguments grounded | then |
 * |---|---|---|
 * | yes | yes | no objection |
 * | yes | no | a person is asked, and sees which value came from where |
 * | no | yes | a person is asked |
 * | no | no | denied |
 */
import type { Effect } from "../decision.ts";
import type { CallValue } from "./argument-roles.ts";
import { type Authority, hasAuthority } from "./authority.ts";
import type { ArgumentRole } from "./roles.ts";
import type { OriginKind, Sources } from "./sources.ts";

/** For the audit: where the value of an authority argument comes from. The value itself is not part of it. */
export interface ArgumentOrigin {
  readonly path: string;
  readonly role: ArgumentRole;
  readonly origin: OriginKind | "unknown";
  /** The tool whose result holds the value. */
  readonly tool?: string;
}

/** An authority argument whose value neither the user nor a trusted source gave. */
export interface UntrustedArgument {
  /** JSON pointer into the arguments. */
  readonly path: string;
  /** The result that holds the value; absent: the model made it. */
  readonly from?: { readonly tool: string; readonly callId: string; readonly excerpt: string };
}

export interface OriginFacts {
  readonly tool: string;
  /** Untrusted text is in the conversation. */
  readonly untrusted: boolean;
  /** The user's own words hold an intent that permits the call. */
  readonly intentHeldByUser: boolean;
  readonly authority: Authority;
  /** A destructive class: then a call that names nothing is not grounded either. */
  readonly isDestructive: boolean;
  readonly values: readonly CallValue[];
  readonly sources: Sources;
}

export type OriginReason =
  /** Without arguments: the call names nothing that the user could have named. */
  | { readonly code: "argument_untrusted"; readonly tool: string; readonly arguments: readonly UntrustedArgument[] }
  | { readonly code: "intent_undetected"; readonly tool: string };

export interface OriginJudgement {
  readonly effect: Effect;
  readonly reasons: readonly OriginReason[];
  readonly origins: readonly ArgumentOrigin[];
}

const NOTHING: OriginJudgement = { effect: "allow", reasons: [], origins: [] };

export function judgeOrigins(facts: OriginFacts): OriginJudgement {
  const { tool, untrusted, intentHeldByUser, authority, values } = facts;
  if (!untrusted) return NOTHING;
  const guarded = values.filter((value) => hasAuthority(authority, value));
  // A tool that only reads has effects only where it reaches out.
  if (!authority.changes && guarded.length === 0) return NOTHING;
  const traced = guarded.map((value) => trace(value, facts.sources));
  const ungrounded = traced.filter(({ origin }) => origin.origin === "unknown");
  const namesNothing = guarded.length === 0 && facts.isDestructive && authority.isGrave;
  const origins = traced.map(({ origin }) => origin);
  const reasons: OriginReason[] = [];
  if (ungrounded.length > 0 || namesNothing)
    reasons.push({ code: "argument_untrusted", tool, arguments: ungrounded.map(({ argument }) => argument) });
  if (!intentHeldByUser) reasons.push({ code: "intent_undetected", tool });
  const effect = reasons.length === 2 ? "deny" : reasons.length === 1 ? "confirm" : "allow";
  return { effect, reasons, origins };
}

interface Traced {
  readonly origin: ArgumentOrigin;
  readonly argument: UntrustedArgument;
}

function trace({ pointer, role, value }: CallValue, sources: Sources): Traced {
  const origin = sources.originOf(value);
  const base = { path: pointer, role: role.role };
  if (origin) {
    const from = origin.tool === undefined ? {} : { tool: origin.tool };
    return { origin: { ...base, origin: origin.kind, ...from }, argument: { path: pointer } };
  }
  const place = sources.whereFrom(value);
  return {
    origin: { ...base, origin: "unknown", ...(place ? { tool: place.tool } : {}) },
    argument: { path: pointer, ...(place ? { from: place } : {}) },
  };
}
