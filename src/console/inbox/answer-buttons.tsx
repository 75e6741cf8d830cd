/** Approve and deny, side by side; what takes longer to think about, below. */
import type { ApprovalView } from "../api/approval.ts";
import { texts } from "../texts/texts.ts";
import type { Panel } from "./answer-area.tsx";
import { settling } from "./settling.ts";

export interface AnswerButtonsProps {
  readonly approval: ApprovalView;
  readonly busy: boolean;
  readonly approves: boolean;
  readonly edits: boolean;
  readonly grants: boolean;
  readonly onApprove: () => void;
  readonly onOpen: (panel: Panel) => void;
}

export function AnswerButtons({ approval, busy, approves, edits, grants, onApprove, onOpen }: AnswerButtonsProps) {
  const words = texts.answer;
  const still = busy || settling.value;
  return (
    <>
      <div class="ask">
        <p class="question" lang={approval.details.language}>
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
            onClick={() => !still && onOpen("deny")}
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
              onClick={() => !still && onApprove()}
            >
              {words.approve}
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
              onClick={() => onOpen("edit")}
            >
              {words.edit}
            </button>
          )}
          {grants && (
            <button type="button" class="quiet" data-opens="grant" onClick={() => onOpen("grant")}>
              {words.always}
            </button>
          )}
        </div>
      )}
    </>
  );
}
