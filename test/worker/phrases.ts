/**
 * A detector for tests of the turn: what the message holds of the policy's keywords (1) and patterns (0.9), the policy's
 * fallback (0.5), and the plainest follow-ups. Notes each text that it is asked about.
 */
import type { DetectedIntent, DetectionLayer, Entity } from "../../src/intent/detection.ts";
import type { DetectorPort } from "../../src/turn/detector-port.ts";

export interface Phrases extends DetectorPort {
  readonly asked: string[];
}

/** @param options `later`: answers with a promise. */
export function phrases(options: { later?: boolean; entities?: readonly Entity[] } = {}): Phrases {
  const asked: string[] = [];
  return {
    asked,
    detect(policy, text) {
      asked.push(text);
      const low = text.toLowerCase();
      const intents = [...policy.intents.values()].flatMap(({ name, keywords, patterns }): DetectedIntent[] => {
        const evidence = (layer: DetectionLayer, source: string, at: number) => [{ layer, source, text, at }];
        const keyword = keywords.find((one) => low.includes(one));
        if (keyword !== undefined)
          return [
            { name, confidence: 1, layer: "keywords", evidence: evidence("keywords", keyword, low.indexOf(keyword)) },
          ];
        const pattern = patterns.find((one) => new RegExp(one, "i").test(text));
        if (pattern === undefined) return [];
        return [{ name, confidence: 0.9, layer: "patterns", evidence: evidence("patterns", pattern, 0) }];
      });
      const { fallback } = policy.detection;
      if (intents.length === 0 && fallback !== undefined)
        intents.push({ name: fallback, confidence: 0.5, layer: "fallback", evidence: [] });
      const followUp = /^(yes|the second one|and in french)\b/i.test(text);
      const detection = { intents, discounted: [], followUp, entities: options.entities ?? [], missed: [] };
      return options.later ? Promise.resolve(detection) : detection;
    },
  };
}
