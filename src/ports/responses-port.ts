/**
 * A user's responses, stored in UserGuard so that later requests can continue from them. Consecutive responses are a thread; a
 * conversation is a thread that the client made and named. A thread is deleted 30 days after its last use.
 */

/** UTF-16 units of one response with its input; a longer one is not stored. */
export const MAX_RESPONSE_UNITS = 4 * 1024 * 1024;

export interface StoreResponseRequest {
  readonly id: string;
  /** The response or the conversation that it continues. */
  readonly previous: string | undefined;
  readonly conversation: string | undefined;
  /** By the id that the client knows; undefined: the thread's does not change. */
  readonly session: string | undefined;
  /** JSON: each is a list of items. */
  readonly input: string;
  readonly output: string;
  /** JSON, the response object without its output. */
  readonly response: string;
  /** Ids of all items, of the input and the output. */
  readonly itemIds: readonly string[];
}

export interface EarlierRequest {
  readonly previous: string | undefined;
  readonly conversation: string | undefined;
  /** Ids of single items. */
  readonly references: readonly string[];
  /** UTF-16 units of all items that are returned. */
  readonly maxUnits: number;
}

export type EarlierResult =
  | {
      readonly kind: "found";
      /** JSON, lists of items, the oldest first. */
      readonly items: readonly string[];
      readonly session: string | undefined;
      /** JSON, one item for each of the references. */
      readonly referenced: readonly string[];
    }
  /** `id` names nothing of this user's, or what it continues was deleted. */
  | { readonly kind: "unknown"; readonly what: "response" | "conversation" | "item"; readonly id: string }
  | { readonly kind: "too_long" };

export interface Conversation {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** JSON. */
  readonly metadata: string;
}
