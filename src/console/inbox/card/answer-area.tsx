/** The question, the buttons that answer it, and what a button opens. */
import { type Signal, useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { AnswerBody, ApprovalView } from "../../../api-views/approval-views.ts";
import { isObject } from "../../../lib/json/json-value.ts";
import { call, type Failure } from "../../api/call.ts";
import { announce } from "../../shell/announcer.tsx";
import { FailureNote } from "../../shell/page-parts.tsx";
import { me } from "../../sign-in/me.ts";
import { texts } from "../../texts/texts.ts";
import { applyApproval, markAnswering } from "../approvals.ts";
import { answerOne, canWait } from "../list/answer-together.ts";
import { splits } from "../list/selection.ts";
import { answersPaused, pauseAnswers } from "../listed.ts";
import { lateText } from "../settled-text.ts";
import { AnswerButtons } from "./answer-buttons.tsx";
import { GrantPanel } from "./grant-panel.tsx";
import { DenyPanel, EditPanel, type Panel, type PanelProps } from "./panels.tsx";

interface AnswerAreaProps {
  readonly approval: ApprovalView;
  /** The question is another user's, seen by an operator. */
  readonly foreign: boolean;
  readonly editing: Signal<boolean>;
  readonly sending: Signal<boolean>;
  /** Some values have not been shown yet: the user must see them first. */
  readonly unseen: boolean;
  readonly onSeeAll: () => void;
}

export function AnswerArea({ approval, foreign, editing, sending, unseen, onSeeAll }: AnswerAreaProps) {
  const panel = useSignal<Panel>("none");
  const failure = useSignal<Failure | undefined>(undefined);
  const enable = useSignal(false);
  const offersEnable = approval.first_use !== null && !foreign;
  const endorse = useSignal(false);
  const offersEndorse = approval.endorsable != null && !foreign;
  const area = useRef<HTMLDivElement>(null);

  async function send(body: AnswerBody): Promise<void> {
    if (sending.value || answersPaused.value) return;
    // Beside the list the next call takes this one's place at once, so a slip of the finger would be noticed too late.
    if (splits.peek() && canWait(approval, body)) {
      answerOne(approval.id, body);
      return;
    }
    sending.value = true;
    failure.value = undefined;
    failure.value = await answer(approval, body);
    markAnswering(approval.id, false);
    sending.value = false;
  }
  function open(next: Panel): void {
    failure.value = undefined;
    panel.value = next;
    editing.value = next === "edit";
  }
  const from = useRef<Panel>("none");
  // In the same task as the drawing: the first letters of a user who types at once would be lost.
  useLayoutEffect(() => {
    const opened = panel.value;
    if (opened === from.current) return;
    const target =
      opened === "none" ? `[data-opens="${from.current}"]` : "[data-first], input, textarea, select, button";
    area.current?.querySelector<HTMLElement>(target)?.focus();
    from.current = opened;
  }, [panel.value]);

  const common: PanelProps = {
    approval,
    busy: sending.value || answersPaused.value,
    sending: sending.value,
    failure: failure.value,
    onAnswer: send,
    onCancel: () => open("none"),
  };
  return (
    <div class={`answer ${panel.value}`} ref={area}>
      {panel.value === "deny" && <DenyPanel {...common} />}
      {panel.value === "edit" && <EditPanel {...common} />}
      {panel.value === "grant" && <GrantPanel {...common} />}
      {panel.value === "none" && (
        <>
          {failure.value && <FailureNote failure={failure.value} />}
          <AnswerButtons
            approval={approval}
            sending={sending.value}
            approves={!foreign || me.value?.approves_for_others === true}
            edits={approval.editable && isObject(approval.arguments)}
            grants={approval.grantable && !foreign && !unseen}
            unseen={unseen}
            enable={offersEnable ? enable : undefined}
            endorse={offersEndorse ? endorse : undefined}
            onSeeAll={() => {
              pauseAnswers();
              onSeeAll();
            }}
            onApprove={() =>
              send({
                action: "approve",
                enable: (offersEnable && enable.value) || undefined,
                endorse: (offersEndorse && endorse.value) || undefined,
              })
            }
            onOpen={open}
          />
          {foreign && me.value?.approves_for_others !== true && <p class="hint">{texts.answer.othersDeny}</p>}
        </>
      )}
    </div>
  );
}

/** A phone without network may report the failure only after minutes. */
const LONGEST_MS = 30_000;

/** @returns why the gateway did not accept the answer; the call then still waits. */
async function answer(approval: ApprovalView, body: AnswerBody): Promise<Failure | undefined> {
  const path = `/v1/approvals/${encodeURIComponent(approval.id)}`;
  announce(texts.answer.sendingTool(approval.tool), false);
  markAnswering(approval.id, true);
  const sent = await call<ApprovalView>(path, { method: "POST", body, signal: AbortSignal.timeout(LONGEST_MS) });
  if (sent.ok) {
    announce(texts.answer.done[body.grant ? "grant" : body.action](approval.tool));
    applyApproval({ ...approval, ...sent.value });
    return undefined;
  }
  if (sent.error.kind === "unreachable" || ![404, 409].includes(sent.error.status)) return sent.error;
  // Another answer was faster, or the call expired: its real outcome is shown.
  const found = await call<ApprovalView>(path, { signal: AbortSignal.timeout(LONGEST_MS) });
  if (!found.ok && found.error.kind === "unreachable") return sent.error;
  const after = found.ok ? { ...approval, ...found.value } : { ...approval, status: "cancelled" as const };
  markAnswering(approval.id, false);
  applyApproval(after);
  announce(lateText(after, body.action));
  return undefined;
}
