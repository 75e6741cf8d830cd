/**
 * The versions of a Durable Object's tables. A step takes an object from one version to the next, forward only; the list is
 * append-only, since a step that some object has taken is never run again. The version is in the object's own storage, in the
 * transaction of the steps: an object is never between two versions.
 */
import { err, ok, type Result } from "../../lib/result.ts";

export interface SchemaStep {
  /** SQL statements (no comment after the last, which would be an empty statement), or what runs them. */
  readonly up: string | ((sql: SqlStorage) => void);
  /**
   * The oldest version whose code may serve an object that took this step (an additional column with a default, a table that old code
   * need not know); its own version if absent. So a deployment can be rolled back over this step.
   */
  readonly readableBy?: number;
}

export interface SchemaVersion {
  readonly version: number;
  readonly readableBy: number;
}

/** The key in the object's key-value storage; the tables are another name space. */
export const SCHEMA_KEY = "schema";

/**
 * Brings an object's tables up to the last step: one read if they are there. To be called in the constructor.
 * @returns the object's version; the error if only newer code may serve it: nothing was changed.
 */
export function upgradeObject(
  storage: DurableObjectStorage,
  object: string,
  steps: readonly SchemaStep[],
): Result<number, string> {
  const { version, readableBy } = storage.kv.get<SchemaVersion>(SCHEMA_KEY) ?? { version: 0, readableBy: 0 };
  if (version > steps.length) {
    if (readableBy <= steps.length) return ok(version);
    return err(
      `${object}: the object has schema ${version}, which needs code of schema ${readableBy} or later, and this code is of schema ${steps.length}: deploy the later version again`,
    );
  }
  if (version < steps.length) storage.transactionSync(() => takeSteps(storage, { version, readableBy }, steps));
  return ok(steps.length);
}

/** For objects that may refuse without a loss: throws if only newer code may serve the object. */
export function mustUpgrade(storage: DurableObjectStorage, object: string, steps: readonly SchemaStep[]): void {
  const upgraded = upgradeObject(storage, object, steps);
  if (!upgraded.ok) throw new Error(upgraded.error);
}

function takeSteps(storage: DurableObjectStorage, from: SchemaVersion, steps: readonly SchemaStep[]): void {
  let { readableBy } = from;
  for (const [index, step] of steps.entries()) {
    if (index < from.version) continue;
    if (typeof step.up === "string") storage.sql.exec(step.up);
    else step.up(storage.sql);
    readableBy = Math.max(readableBy, step.readableBy ?? index + 1);
  }
  storage.kv.put(SCHEMA_KEY, { version: steps.length, readableBy } satisfies SchemaVersion);
}
