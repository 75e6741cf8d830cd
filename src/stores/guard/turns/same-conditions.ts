/** Whether a request that came before would be judged now as it was then. Reads only. */
import type { OpenRequest } from "../../../ports/turns-port.ts";
import { type LiveLink, liveLinks } from "../connections.ts";
import type { SessionRow } from "./sessions.ts";

/** What the earlier turn was opened under. */
export interface EarlierTurn extends Record<string, SqlStorageValue> {
  readonly role: string;
  readonly grants: string;
  readonly mode: string | null;
  readonly policy: string;
}

/** Another role, mode or policy, or a connection made, changed or gone, asks for a new decision. */
export function hasSameConditions(
  sql: SqlStorage,
  earlier: EarlierTurn,
  session: SessionRow,
  { principal, policy, mode }: OpenRequest,
  now: number,
): boolean {
  if (earlier.role !== principal.role || earlier.policy !== policy) return false;
  return earlier.grants === grantsOf(principal, liveLinks(sql, now)) && earlier.mode === (mode ?? session.mode);
}

/** What the rules ask of a principal besides the role. */
export function grantsOf({ authenticated, connections }: OpenRequest["principal"], links: readonly LiveLink[]): string {
  const linked = links.map(({ provider, since }) => [provider, since]);
  return JSON.stringify([authenticated, ...[...connections].sort(), ...linked]);
}
