/**
 * Stands in for `turn/offer-step.ts` in the bundle that runs policy cases: the same functions, and what they offered is
 * logged. A reply tells what was withheld from a whole turn; a case asks for it step by step.
 */
import { stepRequest as realStepRequest, type StepOffer } from "../turn/offer/offer-step.ts";
import { logOffer } from "./offer-log.ts";

export * from "../turn/offer/offer-step.ts";

/** Asked once for each call of the model. */
export const stepRequest: typeof realStepRequest = (turn, step, ...others) => {
  logOffer(turn.input.id, namesOf(step));
  return realStepRequest(turn, step, ...others);
};

const namesOf = ({ tools, offer }: StepOffer) => ({
  offered: tools.map(({ name }) => name),
  withheld: Object.fromEntries(offer.withheld.map(({ name, reasons }) => [name, reasons.map(({ code }) => code)])),
});
