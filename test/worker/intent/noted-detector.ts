/** The gateway's own detector, which notes each message that it is asked about. */
import type { DetectorPort } from "../../../src/ports/detector-port.ts";

export interface NotedDetector {
  readonly asked: string[];
  readonly wrap: (own: DetectorPort) => DetectorPort;
}

export function notedDetector(): NotedDetector {
  const asked: string[] = [];
  const wrap = (own: DetectorPort): DetectorPort => ({
    detect(policy, message, signal, asking) {
      // Without a request behind it the text is an example, which the gateway tries before it shows it.
      if (asking) asked.push(message.text);
      return own.detect(policy, message, signal, asking);
    },
  });
  return { asked, wrap };
}
