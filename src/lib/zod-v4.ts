/**
 * Replaces `zod/v4` for the AI SDK's packages (`alias` in `wrangler.toml`). Their `z` holds all of zod with the messages of
 * every language: half a megabyte at each start. This one holds what they call.
 */
import * as zod from "zod";

export * from "zod";

export const z = {
  any: zod.any,
  array: zod.array,
  boolean: zod.boolean,
  enum: zod.enum,
  literal: zod.literal,
  looseObject: zod.looseObject,
  number: zod.number,
  object: zod.object,
  record: zod.record,
  string: zod.string,
  union: zod.union,
  unknown: zod.unknown,
};
