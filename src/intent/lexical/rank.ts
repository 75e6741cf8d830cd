/** From weighed evidence to intents: best first by confidence, then by specificity, then by place. Pure. */
import type { DetectedIntent, DetectionLayer, Evidence } from "../detection.ts";
import type { Item } from "./evidence-item.ts";
import type { Folded } from "./fold.ts";

/** Source: reference/intent-detection-and-safe-tools.md, 1.5. */
export const lexicalConfidence = { keywords: 1, patterns: 0.9 } as const;

/** Evidence told of one intent; what counts comes first. */
const maxEvidence = 8;

interface Ranking {
  readonly names: readonly string[];
  readonly layers: readonly DetectionLayer[];
}

export function rank(
  { names, layers }: Ranking,
  items: readonly Item[],
  message: string,
  folded: Folded,
): { readonly intents: readonly DetectedIntent[]; readonly discounted: readonly DetectedIntent[] } {
  const byIntent = Map.groupBy(items, (item) => item.intent);
  const ranked = [...byIntent].map(([number, all]) => {
    const counted = all.filter((item) => !item.discounted);
    const deciding = counted.length > 0 ? counted : all;
    const layer = firstLayer(layers, deciding);
    const intent: DetectedIntent = {
      name: names[number] ?? "",
      confidence: lexicalConfidence[layer],
      layer,
      evidence: tell(layer, counted, all, message, folded),
    };
    return {
      intent,
      counts: counted.length > 0,
      weight: deciding.reduce((most, item) => Math.max(most, item.weight), 0),
      start: deciding.reduce((first, item) => Math.min(first, item.start), Number.POSITIVE_INFINITY),
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

function firstLayer(layers: readonly DetectionLayer[], items: readonly Item[]): Item["layer"] {
  const place = (layer: Item["layer"]) => layers.indexOf(layer);
  return items.reduce<Item["layer"]>(
    (first, { layer }) => (place(layer) < place(first) ? layer : first),
    items[0]?.layer ?? "keywords",
  );
}

/** What decided first: counted before discounted, the layer that is told, then the most specific. */
function tell(
  layer: Item["layer"],
  counted: readonly Item[],
  all: readonly Item[],
  message: string,
  folded: Folded,
): Evidence[] {
  const order = (item: Item) => (counted.includes(item) ? 0 : 2) + (item.layer === layer ? 0 : 1);
  const chosen =
    all.length > 200 ? [...counted.slice(0, 100), ...all.filter((item) => item.discounted).slice(0, 100)] : all;
  return [...chosen]
    .sort((one, other) => order(one) - order(other) || other.weight - one.weight || one.start - other.start)
    .slice(0, maxEvidence)
    .map((item) => {
      const at = folded.startOf(item.start);
      return {
        layer: item.layer,
        source: item.source,
        text: message.slice(at, folded.endOf(item.end)),
        at,
        ...(item.discounted && { discounted: item.discounted }),
      };
    });
}
