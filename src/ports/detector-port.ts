/** The port to detection: what the user wants, read from the user's own words alone. */
import type { Detection } from "../intent/detection.ts";
import type { ModelAccess } from "../intent/slow-layer.ts";
import type { CompiledPolicy } from "../policy/compile.ts";

export interface UserMessage {
  readonly text: string;
  /** The assistant's message before it, if there is one: it decides whether a message continues a task. */
  readonly assistant?: string | undefined;
}

export interface DetectorPort {
  /**
   * Never rejects: `missed` names each layer that failed, and the others decide.
   * @param message the new user message, and what it answers.
   * @param signal fires when the client goes away.
   * @param modelAccess what a layer that calls a model needs from the request; absent if there is no client request.
   */
  detect(
    policy: CompiledPolicy,
    message: UserMessage,
    signal: AbortSignal,
    modelAccess?: ModelAccess,
  ): Promise<Detection>;
}
