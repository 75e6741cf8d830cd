/** How long the question still stands, as words and as a barrier that draws back. */
import type { ApprovalView } from "../../api/approval.ts";
import { texts } from "../../texts/texts.ts";
import { duration } from "../../texts/times.ts";
import { now } from "./clock.ts";

export interface TimeLeftProps {
  readonly approval: ApprovalView;
  readonly expired: boolean;
}

export function TimeLeft({ approval, expired }: TimeLeftProps) {
  const [from, to] = [Date.parse(approval.created_at), Date.parse(approval.expires_at)];
  const left = expired ? 0 : to - now.value;
  const share = Math.min(1, Math.max(0, left / Math.max(1, to - from)));
  const over = approval.status === "expired" ? texts.expired.label : texts.card.over;
  return (
    <>
      {/* As tall as the corners are round, so that it follows them. */}
      <svg class="barrier" viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" width="100" height="4" />
        <rect width={String(share * 100)} height="4" />
      </svg>
      <p class="time">
        <time dateTime={approval.expires_at}>{left > 0 ? texts.card.left(duration(left)) : over}</time>
      </p>
    </>
  );
}
