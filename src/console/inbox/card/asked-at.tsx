/** When a call was asked, and of whom where it was somebody else. */
import type { ApprovalView } from "../../api/approval.ts";
import { texts } from "../../texts/texts.ts";
import { ago, when } from "../../texts/times.ts";
import { now } from "./clock.ts";

export interface AskedAtProps {
  readonly approval: ApprovalView;
  /** Undefined: the person who looks. */
  readonly of: string | undefined;
}

export function AskedAt({ approval, of }: AskedAtProps) {
  const time = ago(now.value - Date.parse(approval.created_at));
  return (
    <time class="asked" dateTime={approval.created_at} title={when(approval.created_at)}>
      {of === undefined ? texts.card.asked(time) : texts.card.askedOf(of, time)}
    </time>
  );
}
