/** The model that the greeting's request names. */
import type { Settings } from "../settings.ts";

const WITHIN_MS = 2000;
/** What providers list besides models that chat. */
const OTHERS = /embed|whisper|tts|dall-e|image|audio|realtime|transcribe|moderation|rerank|babbage|davinci|sora/i;

/** The one that replaces the client's, else the first that the upstream lists. */
export async function exampleModel({ port, upstream }: Settings): Promise<string> {
  if (upstream === undefined) return "demo";
  if (upstream.model !== undefined) return upstream.model;
  try {
    const response = await fetch(`http://127.0.0.1:${port}/v1/models`, {
      headers: { authorization: "Bearer tg-dev-user" },
      signal: AbortSignal.timeout(WITHIN_MS),
    });
    const { data } = (await response.json()) as { data?: readonly { readonly id?: unknown }[] };
    const ids = (data ?? []).map(({ id }) => id).filter((id) => typeof id === "string");
    return ids.find((id) => !OTHERS.test(id)) ?? "THE-MODEL";
  } catch {
    return "THE-MODEL";
  }
}
