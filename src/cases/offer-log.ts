/** What the steps of recent turns were offered and not, for `GET /.cases/offers`. */

export interface LoggedOffer {
  readonly offered: readonly string[];
  /** Codes of the reasons, by the tool's name. */
  readonly withheld: Readonly<Record<string, readonly string[]>>;
}

const steps = new Map<string, LoggedOffer[]>();

export function logOffer(turn: string, offer: LoggedOffer): void {
  steps.set(turn, [...(steps.get(turn) ?? []), offer]);
}

/** A turn's offers, step by step. They are told once: the log holds only what nobody asked for yet. */
export function takeOffers(turn: string): readonly LoggedOffer[] {
  const logged = steps.get(turn) ?? [];
  steps.delete(turn);
  return logged;
}
