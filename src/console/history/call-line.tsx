/** A call on one line, by what tells it from others of the same tool. */
import type { DisclosedArgument } from "../../approvals/disclosed.ts";
import { readable } from "../inbox/readable.ts";
import { texts } from "../texts/texts.ts";

export interface CallLineProps {
  readonly tool: string;
  readonly first: DisclosedArgument | undefined;
}

export function CallLine({ tool, first }: CallLineProps) {
  return (
    <span class="call-line">
      <span class="mono">{tool}</span>
      {first && (
        <span class="first">
          {first.name}: <bdi>{first.redacted ? texts.card.hidden : readable(first.value)}</bdi>
        </span>
      )}
    </span>
  );
}
