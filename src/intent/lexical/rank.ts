/** From weighed evidence to intents: best first by confidence, then by specificity, then by place. Pure. */
import type { DetectedIntent, DetectionLayer, Evidence } from "../detection.ts";
import type { Match } from "./find-matches.ts";
import type { Folded } from "./fold.ts";

/** Source: reference/intent-detection-and-safe-tools.md, 1.5. */
export const lexicalConfidence = { keywords: 1, patterns: 0.9 } as const;

/** Evidence of one intent; what counts comes first. */
const maxEvidence = 8;

interface Ranking {
  readonly names: readonly string[];
  readonly layers: readonly DetectionLayer[];
}

export function rank(
  { names, layers }: Ranking,
  matches: readonly Match[],
  message: string,
  folded: Folded,
): { readonly intents: readonly DetectedIntent[]; readonly discounted: readonly DetectedIntent[] } {
  const ranked = [...Map.groupBy(matches, (match) => match.intent)].map(([number, all]) => {
    const counted = all.filter((match) => !match.discounted);
    const deciding = counted.length > 0 ? counted : all;
    const has = (layer: Match["layer"]) => deciding.some((match) => match.layer === layer);
    const layer = layers.find((one): one is Match["layer"] => (one === "keywords" || one === "patterns") && has(one));
    const decidedBy = layer ?? "keywords";
    const intent: DetectedIntent = {
      name: names[number] ?? "",
      confidence: lexicalConfidence[decidedBy],
      layer: decidedBy,
      evidence: evidenceOf(decidedBy, all, message, folded),
    };
    return {
      intent,
      counts: counted.length > 0,
      weight: deciding.reduce((most, match) => Math.max(most, match.weight), 0),
      start: deciding.reduce((first, match) => Math.min(first, match.start), Number.POSITIVE_INFINITY),
      number,
    };
  });
  ranked.sort(
    (one, other) =>
      other.intent.confidence - one.intent.confidence ||
      other.weight - one.weight ||
      one.start - other.start ||
      one.number - other.number,
  );
  return {
    intents: ranked.filter(({ counts }) => counts).map(({ intent }) => intent),
    discounted: ranked.filter(({ counts }) => !counts).map(({ intent }) => intent),
  };
}

/** What decided first: counted before discounted, the layer that decided, then the most specific. */
function evidenceOf(layer: Match["layer"], all: readonly Match[], message: string, folded: Folded): Evidence[] {
  const order = (match: Match) => (match.discounted ? 2 : 0) + (match.layer === layer ? 0 : 1);
  return [...all]
    .sort((one, other) => order(one) - order(other) || other.weight - one.weight || one.start - other.start)
    .slice(0, maxEvidence)
    .map(({ layer: of, source, start, end, discounted }) => {
      const at = folded.startOf(start);
      const text = message.slice(at, folded.endOf(end));
      return { layer: of, source, text, at, ...(discounted && { discounted }) };
    });
}
