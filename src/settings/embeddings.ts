/** The source of sentence vectors, for policies that ask for them: `EMBEDDINGS_…`. Pure. */
import { err, ok, type Result } from "../lib/result.ts";
import { urlProblem } from "./json-setting.ts";
import type { SettingVariables } from "./settings-table.ts";

export interface EmbeddingSettings {
  /** Without a slash at its end; absent: the binding `AI`. */
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly model: string;
}

/**
 * Undefined if none is set.
 * @param bound whether the deployment binds Workers AI; by default it is not checked.
 */
export function readEmbeddings(
  variables: SettingVariables,
  bound = true,
): Result<EmbeddingSettings | undefined, readonly string[]> {
  const baseUrl = variables.EMBEDDINGS_BASE_URL?.trim().replace(/\/+$/, "") || undefined;
  const apiKey = variables.EMBEDDINGS_API_KEY?.trim() || undefined;
  const model = variables.EMBEDDINGS_MODEL?.trim() || undefined;
  const problem = baseUrl === undefined ? undefined : urlProblem(baseUrl);
  if (problem !== undefined) return err([`EMBEDDINGS_BASE_URL ${problem}`]);
  if (model === undefined) {
    if (baseUrl === undefined && apiKey === undefined) return ok(undefined);
    return err(["EMBEDDINGS_MODEL is not set: write the model's name, such as text-embedding-3-small"]);
  }
  if (baseUrl === undefined && !model.startsWith("@cf/"))
    return err([
      `EMBEDDINGS_BASE_URL is not set: write where \`${model}\` is, such as https://api.openai.com/v1, ` +
        "or a model of Workers AI (`@cf/…`) as EMBEDDINGS_MODEL",
    ]);
  if (baseUrl === undefined && !bound)
    return err([`EMBEDDINGS_MODEL is \`${model}\`, one of Workers AI: bind it as AI in wrangler.toml`]);
  return ok({ baseUrl, apiKey, model });
}
