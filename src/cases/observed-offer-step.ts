/**
 * Stands in for `turn/offer-step.ts` in the bundle that runs policy cases: the same functions, and what they offered is
 * logged. A reply tells what was withheld from a whole turn; a case asks for it step by step.
 */
import { isOffer, offerStep as realOfferStep, type StepOffer } from "../turn/offer-step.ts";
import type { Turn } from "../turn/turn.ts";
import { logOffer } from "./offer-log.ts";

export * from "../turn/offer-step.ts";

export function offerStep(turn: Turn, now: number): ReturnType<typeof realOfferStep> {
  const step = realOfferStep(turn, now);
  if (isOffer(step)) logOffer(turn.input.id, namesOf(step));
  return step;
}

const namesOf = ({ tools, offer }: StepOffer) => ({
  offered: tools.map(({ name }) => name),
  withheld: Object.fromEntries(offer.withheld.map(({ name, reasons }) => [name, reasons.map(({ code }) => code)])),
});
