/** The port to detection: what the user wants, told from the user's own words alone. */
import type { Detection } from "../intent/detection.ts";
import type { Asking } from "../intent/slow-layer.ts";
import type { CompiledPolicy } from "../policy/compile.ts";

export interface DetectorPort {
  /**
   * Never throws: a layer that fails is told in `missed`, and the others decide. Answers at once, not with a promise, where
   * no layer must wait for I/O.
   * @param text of the new user message.
   * @param signal fires when the client goes away.
   * @param asking what a layer that asks a model may need of the request; absent where no client's request is behind it.
   */
  detect(policy: CompiledPolicy, text: string, signal: AbortSignal, asking?: Asking): Detection | Promise<Detection>;
}
