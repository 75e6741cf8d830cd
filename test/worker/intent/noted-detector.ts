/** The gateway's own detector, which notes each message that it is asked about. */
import type { Detection } from "../../../src/intent/detection.ts";
import type { DetectorPort, UserMessage } from "../../../src/ports/detector-port.ts";

export interface NotedDetector {
  readonly asked: string[];
  readonly wrap: (own: DetectorPort) => DetectorPort;
}

/** @param onDetected is called with each message and what was detected in it, before the turn opens. */
export function notedDetector(onDetected?: (message: UserMessage, detection: Detection) => void): NotedDetector {
  const asked: string[] = [];
  const wrap = (own: DetectorPort): DetectorPort => ({
    async detect(policy, message, signal, asking) {
      // Without a request behind it the text is an example, which the gateway tries before it shows it.
      if (asking) asked.push(message.text);
      const detection = await own.detect(policy, message, signal, asking);
      if (asking) onDetected?.(message, detection);
      return detection;
    },
  });
  return { asked, wrap };
}
