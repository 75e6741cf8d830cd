/** Models in a provider's list that are not for chats. */
const OTHERS = /embed|whisper|tts|dall-e|image|audio|realtime|transcribe|moderation|rerank|babbage|davinci|sora/i;

/** @param models `data` of `GET /v1/models`. */
export function firstChatModel(models: readonly { readonly id?: unknown }[] | undefined): string | undefined {
  const ids = (models ?? []).map(({ id }) => id).filter((id) => typeof id === "string");
  return ids.find((id) => !OTHERS.test(id));
}
