/** `runInDurableObject` for a user's object: its tables are made with their first rows, so others are read as if they were empty. */
import { runInDurableObject } from "cloudflare:test";
import { lazyTables } from "../../../src/stores/guard/lazy-tables.ts";
import type { ObjectContext } from "../../../src/stores/guard/object-context.ts";
import { guardSchema } from "../../../src/stores/guard/schema/guard-schema.ts";
import { guardTables } from "../../../src/stores/guard/tables.ts";
import type { UserGuard } from "../../../src/stores/objects/user-guard.ts";

/** The object's storage, as its own code has it. */
const leanOf = (storage: DurableObjectStorage): DurableObjectStorage =>
  lazyTables(storage, guardSchema, guardTables).storage;

export const runInGuard = <T>(
  stub: DurableObjectStub<UserGuard>,
  body: (object: UserGuard, state: { readonly storage: DurableObjectStorage }) => T | Promise<T>,
): Promise<T> =>
  runInDurableObject(stub, (object: UserGuard, { storage }) => body(object, { storage: leanOf(storage) }));

/** When the object works next: by its alarm, or by its timer. */
export const workAt = (stub: DurableObjectStub<UserGuard>): Promise<number | null> =>
  runInGuard(stub, async (object, { storage }) => {
    const { context } = object as unknown as { readonly context: ObjectContext };
    const at = Math.min((await storage.getAlarm()) ?? Infinity, context.alarm.clock.soonAt ?? Infinity);
    return at === Infinity ? null : at;
  });
