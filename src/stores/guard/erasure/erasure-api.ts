/** Orders an erasure, and reports its progress. The object's alarm does it. */
import type { ErasureState } from "../../../ports/erasure-port.ts";
import type { Owner } from "../../../session/principal.ts";
import type { ObjectContext } from "../object-context.ts";
import { noteOwner } from "../transaction.ts";
import type { Erasure, StoreStep } from "./erasure.ts";
import { chainBeganAt, readErasures } from "./erasures.ts";
import { orderErasure } from "./forget.ts";

export const erasureApi = (context: ObjectContext) => ({
  /**
   * Resolves once the order is stored. If one is under way and nothing was stored since, it is the same one, and not new.
   * @param by who orders it.
   */
  async order(owner: Owner, by: string): Promise<ErasureState & { readonly isNew: boolean }> {
    const { erasure, isNew } = context.change((transaction) => {
      const { sql } = transaction;
      noteOwner(sql, owner);
      const before = readErasures(sql).length;
      const ordered = orderErasure(transaction, by);
      return { erasure: ordered, isNew: readErasures(sql).length > before };
    });
    context.alarm.clock.scheduleAt(context.now());
    return { ...stateOf(erasure), isNew };
  },
  /** Records before this time were erased; -Infinity if none were. */
  before: async () => context.read(({ sql }) => chainBeganAt(sql)),
  /** The last one; undefined if there is none, or it is forgotten. */
  state: async () => {
    const last = context.read(({ sql }) => readErasures(sql).at(-1));
    return last && stateOf(last);
  },
});

/** How many of the port's steps are done before it. */
const DONE_BEFORE: Readonly<Record<StoreStep, number>> = {
  left: 1,
  index: 1,
  tools: 2,
  incoming: 3,
  compacted: 3,
  letters: 3,
};

function stateOf({ id, by, orderedAt, before, step, looks, due, completedAt }: Erasure): ErasureState {
  const count = before === null ? 0 : completedAt !== null ? 5 : looks > 0 ? 4 : DONE_BEFORE[step];
  const steps = {
    object: how(count > 0),
    index: how(count > 1),
    tools: how(count > 2),
    archive: how(count > 3),
    check: how(count > 4),
  };
  return { id, by, orderedAt, completedAt, steps, nextAt: completedAt === null ? due : null };
}

const how = (isDone: boolean) => (isDone ? ("done" as const) : ("pending" as const));
