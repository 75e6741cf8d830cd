/** Approve and deny, side by side; what takes longer to think about, below. */
import type { Signal } from "@preact/signals";
import type { ApprovalView } from "../api/approval.ts";
import { Prose } from "../shell/prose.tsx";
import { texts } from "../texts/texts.ts";
import type { Panel } from "./answer-area.tsx";
import { settling } from "./settling.ts";

export interface AnswerButtonsProps {
  readonly approval: ApprovalView;
  readonly busy: boolean;
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

export function AnswerButtons({ approval, busy, approves, edits, grants, ...props }: AnswerButtonsProps) {
  const { unseen, enable, onSeeAll, onApprove, onOpen } = props;
  const words = texts.answer;
  const still = busy || settling.value;
  return (
    <>
      {approves && enable && (
        <label class="check">
          <input
            type="checkbox"
            checked={enable.value}
            onChange={(event) => {
              enable.value = event.currentTarget.checked;
            }}
          />
          <span>{words.enable[approval.first_use?.enables ?? "session"](approval.tool)}</span>
        </label>
      )}
      <div class="ask">
        <p class="question" lang={approval.details.language}>
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
              onClick={() => !still && (unseen ? onSeeAll() : onApprove())}
            >
              {unseen ? words.seeFirst : words.approve}
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
