/** What of a call its place says: which step of a plan it is, and where it goes on once it is answered. Pure. */
import type { ApprovalView } from "../api/approval.ts";
import type { Words } from "../texts/words.ts";

type Place = Pick<ApprovalView, "channel" | "plan">;

export const stepLine = ({ plan }: Place, { card }: Words): string | undefined =>
  plan ? card.plan.step(plan.step_number, plan.total_steps) : undefined;

/** A plan has no chat to go back to. */
export const goesOnLine = ({ channel, plan }: Place, { card }: Words): string =>
  plan && channel !== "inline" ? card.plan[channel] : card.channel[channel];
