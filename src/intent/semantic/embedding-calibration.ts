/**
 * From similarities to a confidence that means about the same whatever model made the vectors. Pure, deterministic.
 *
 * Each text is taken out and judged by the others: was the nearest one of its own intent? Then its whole intent is taken
 * out: what is nearest now is certainly wrong, as it is for a message that means none of the intents. A logistic curve
 * over the best similarity and its lead over the next intent tells the two apart.
 */

/** How near the best intent is, and how far it is before the next. */
export interface Similarity {
  readonly best: number;
  readonly lead: number;
}

export interface Calibration {
  readonly best: number;
  readonly lead: number;
  readonly bias: number;
}

interface Sample extends Similarity {
  readonly right: boolean;
}

const ROUNDS = 400;
const RATE = 0.5;
const DECAY = 0.01;
/** Of each kind. With fewer the curve would be chance. */
const MIN_SAMPLES = 4;

export const confidenceOf = ({ best, lead, bias }: Calibration, of: Similarity): number =>
  1 / (1 + Math.exp(-(best * of.best + lead * of.lead + bias)));

/** @param unrelated the mean similarity of texts of different intents: all there is to go by where samples are few. */
export function calibrate(samples: readonly Sample[], unrelated: number): Calibration {
  const right = samples.filter((sample) => sample.right).length;
  if (right < MIN_SAMPLES || samples.length - right < MIN_SAMPLES) return uncalibrated(unrelated);
  return fitCurve(samples, right);
}

/** Even odds half way between an unrelated text and the same one. */
function uncalibrated(unrelated: number): Calibration {
  const room = Math.max(0.05, 1 - unrelated);
  const best = 10 / room;
  return { best, lead: 0, bias: -best * (unrelated + room / 2) };
}

function fitCurve(samples: readonly Sample[], right: number): Calibration {
  const best = spread(samples.map((sample) => sample.best));
  const lead = spread(samples.map((sample) => sample.lead));
  // Both kinds weigh the same: how often messages mean none of the intents is not known here.
  const weightOf = (sample: Sample) => 0.5 / (sample.right ? right : samples.length - right);
  const at = { best: 1, lead: 1, bias: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const slope = { best: 0, lead: 0, bias: 0 };
    for (const sample of samples) {
      const scaled = { best: best.scale(sample.best), lead: lead.scale(sample.lead) };
      const off = (confidenceOf(at, scaled) - (sample.right ? 1 : 0)) * weightOf(sample);
      slope.best += off * scaled.best;
      slope.lead += off * scaled.lead;
      slope.bias += off;
    }
    // Nearer is never less likely, whatever a few samples say.
    at.best = Math.max(0, at.best - RATE * (slope.best + DECAY * at.best));
    at.lead = Math.max(0, at.lead - RATE * (slope.lead + DECAY * at.lead));
    at.bias -= RATE * slope.bias;
  }
  return {
    best: at.best / best.deviation,
    lead: at.lead / lead.deviation,
    bias: at.bias - (at.best * best.mean) / best.deviation - (at.lead * lead.mean) / lead.deviation,
  };
}

function spread(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  const deviation = Math.sqrt(variance) || 1;
  return { mean, deviation, scale: (value: number) => (value - mean) / deviation };
}
