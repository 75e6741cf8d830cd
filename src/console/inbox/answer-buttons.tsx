/** The question with approve and deny; what takes longer to think about, below. */
import { useRef } from "preact/hooks";
import type { ApprovalView } from "../api/approval.ts";
import { announce } from "../shell/announcer.tsx";
import { Icon } from "../shell/icon.tsx";
import { texts } from "../texts/texts.ts";
import type { Panel } from "./answer-area.tsx";
import { SendingLabel } from "./sending-label.tsx";
import { settling } from "./settling.ts";
import { useReached } from "./use-reached.ts";

export interface AnswerButtonsProps {
  readonly approval: ApprovalView;
  readonly sending: boolean;
  readonly approves: boolean;
  readonly edits: boolean;
  readonly grants: boolean;
  readonly onApprove: () => void;
  readonly onOpen: (panel: Panel) => void;
}

export function AnswerButtons(props: AnswerButtonsProps) {
  const { approval, sending, approves, edits, grants, onApprove, onOpen } = props;
  const words = texts.answer;
  const question = useRef<HTMLParagraphElement>(null);
  const reached = useReached(question);
  const still = sending || settling.value;
  const open = (panel: Panel) => !still && onOpen(panel);

  // On a phone the buttons are in sight before the values are. Who has not come to the question is brought there first.
  function approve(): void {
    if (still) return;
    if (reached.value === "yes") onApprove();
    else {
      question.current?.scrollIntoView({ block: "center" });
      announce(words.readFirst);
    }
  }
  return (
    <>
      <div class={reached.value === "no" ? "ask unread" : "ask"}>
        <p class="question" lang={approval.details.language} ref={question}>
          {approval.question}
        </p>
        <div class="buttons">
          <button
            type="button"
            class="button"
            data-opens="deny"
            data-key="d"
            aria-keyshortcuts="d"
            aria-disabled={still}
            onClick={() => open("deny")}
          >
            {words.deny}
          </button>
          {approves && (
            <button
              type="button"
              class="button strong"
              data-key="a"
              aria-keyshortcuts="a"
              aria-disabled={still}
              onClick={approve}
            >
              <SendingLabel sending={sending}>
                {words.approve}
                <Icon name="below" />
              </SendingLabel>
            </button>
          )}
        </div>
      </div>
      {approves && (edits || grants) && (
        <div class="ways">
          {edits && (
            <button
              type="button"
              class="quiet"
              data-opens="edit"
              data-key="e"
              aria-keyshortcuts="e"
              aria-disabled={sending}
              onClick={() => !sending && onOpen("edit")}
            >
              {words.edit}
            </button>
          )}
          {grants && (
            <button
              type="button"
              class="quiet"
              data-opens="grant"
              aria-disabled={sending}
              onClick={() => !sending && onOpen("grant")}
            >
              {words.always}
            </button>
          )}
        </div>
      )}
    </>
  );
}
