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
  coerce: zod.coerce,
  discriminatedUnion: zod.discriminatedUnion,
  enum: zod.enum,
  intersection: zod.intersection,
  json: zod.json,
  lazy: zod.lazy,
  literal: zod.literal,
  looseObject: zod.looseObject,
  never: zod.never,
  null: zod.null,
  number: zod.number,
  object: zod.object,
  partialRecord: zod.partialRecord,
  record: zod.record,
  strictObject: zod.strictObject,
  string: zod.string,
  tuple: zod.tuple,
  union: zod.union,
  unknown: zod.unknown,
};
