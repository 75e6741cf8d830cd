/**
 * How a task's intents move when a request comes in. Pure. Source: DESIGN's table "States and the handshake".
 * Without detection, a new user message always goes back to `reasoning`; a continuation changes nothing.
 */
export type IntentMove = { readonly kind: "keep" } | { readonly kind: "replace"; readonly intents: readonly string[] };

export function moveIntents({ newMessage }: { readonly newMessage: boolean }): IntentMove {
  return newMessage ? { kind: "replace", intents: [] } : { kind: "keep" };
}
