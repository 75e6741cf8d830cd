/** Entities as the audit keeps them: redacted before anything is written. Pure. */
import { redacted } from "../../lib/redact.ts";
import type { Entity } from "../detection.ts";

export interface RecordedEntity {
  readonly name: string;
  /** The marker of `lib/redact.ts` where it is not told. */
  readonly value: string | number;
  readonly at: number;
}

/** The user's own words (`text`) are never kept. */
export function recordedEntities(entities: readonly Entity[]): readonly RecordedEntity[] {
  return entities.map(({ name, value, at, redact }) => ({ name, value: redact ? redacted : value, at }));
}
