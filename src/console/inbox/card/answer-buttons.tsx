/** The question with approve and deny; what takes longer to think about, below. */
import type { Signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { ApprovalView } from "../../api/approval.ts";
import { announce } from "../../shell/announcer.tsx";
import { Icon } from "../../shell/icon.tsx";
import { Prose } from "../../shell/prose.tsx";
import { texts } from "../../texts/texts.ts";
import { settling } from "../settling.ts";
import type { Panel } from "./answer-area.tsx";
import { EnableBox } from "./enable-box.tsx";
import { SendingLabel } from "./sending-label.tsx";
import { useReached } from "./use-reached.ts";

export interface AnswerButtonsProps {
  readonly approval: ApprovalView;
  readonly sending: boolean;
  readonly approves: boolean;
  readonly edits: boolean;
  readonly grants: boolean;
  /** Values are not in view: they come first. */
  readonly unseen: boolean;
  /** Whether the tool is enabled beyond this call; undefined where that is not asked. */
  readonly enable: Signal<boolean> | undefined;
  readonly onSeeAll: () => void;
  readonly onApprove: () => void;
  readonly onOpen: (panel: Panel) => void;
}

export function AnswerButtons(props: AnswerButtonsProps) {
  const { approval, sending, approves, edits, grants, unseen, enable, onSeeAll, onApprove, onOpen } = props;
  const words = texts.answer;
  const question = useRef<HTMLParagraphElement>(null);
  const reached = useReached(question, unseen);
  const still = sending || settling.value;
  const open = (panel: Panel) => !still && onOpen(panel);

  // On a phone the buttons are in sight before the values are. Who has not come to the question is brought there first.
  function approve(): void {
    if (still) return;
    if (unseen) onSeeAll();
    else if (reached.value === "yes") onApprove();
    else {
      question.current?.scrollIntoView({ block: "center" });
      announce(words.readFirst);
    }
  }
  return (
    <>
      {approves && enable && <EnableBox approval={approval} enable={enable} disabled={sending} />}
      <div class={reached.value === "no" ? "ask unread" : "ask"}>
        <p class="question" lang={approval.details.language} ref={question}>
          <Prose text={approval.question} />
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
                {unseen ? words.seeFirst : words.approve}
                {!unseen && <Icon name="below" />}
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
