/** What stands on the button that sends an answer: its words, or that the answer is under way. */
import type { ComponentChildren } from "preact";
import { texts } from "../../texts/texts.ts";

export interface SendingLabelProps {
  readonly sending: boolean;
  readonly children: ComponentChildren;
}

export function SendingLabel({ sending, children }: SendingLabelProps) {
  if (!sending) return <>{children}</>;
  return (
    <>
      <span class="spinner" aria-hidden="true" />
      {texts.answer.sending}
    </>
  );
}
