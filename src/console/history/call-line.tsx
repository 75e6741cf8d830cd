/** A call on one line, by what tells it from others of the same tool. */
import type { ArgumentView } from "../api/approval.ts";
import { texts } from "../texts/texts.ts";

export interface CallLineProps {
  readonly tool: string;
  readonly first: ArgumentView | undefined;
}

export function CallLine({ tool, first }: CallLineProps) {
  return (
    <span class="call-line">
      <span class="mono">{tool}</span>
      {first && (
        <span class="first">
          {first.name}: <bdi>{first.redacted || first.private ? texts.card.hidden : first.value}</bdi>
        </span>
      )}
    </span>
  );
}
