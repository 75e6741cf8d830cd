/** The question with approve and deny, and the less frequent answers below. */
import { type ReadonlySignal, type Signal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ApprovalView } from "../../../api-views/approval-views.ts";
import { announce } from "../../shell/announcer.tsx";
import { Icon } from "../../shell/icon.tsx";
import { Prose } from "../../shell/page-parts.tsx";
import { texts } from "../../texts/texts.ts";
import { answersPaused } from "../listed.ts";
import { type Panel, SendingLabel } from "./panels.tsx";
import { yesWords } from "./verbs.ts";

interface AnswerButtonsProps {
  readonly approval: ApprovalView;
  readonly sending: boolean;
  readonly approves: boolean;
  readonly edits: boolean;
  readonly grants: boolean;
  /** Some values have not been shown yet: the user must see them first. */
  readonly unseen: boolean;
  /** Whether the answer also enables the tool; undefined if the question is not about a first use. */
  readonly enable: Signal<boolean> | undefined;
  /** Whether the task may use other values of the result that the call's values come from; undefined if there is none. */
  readonly endorse: Signal<boolean> | undefined;
  readonly onSeeAll: () => void;
  readonly onApprove: () => void;
  readonly onOpen: (panel: Panel) => void;
}

export function AnswerButtons(props: AnswerButtonsProps) {
  const { approval, sending, approves, edits, grants, unseen, enable, endorse, onSeeAll, onApprove, onOpen } = props;
  const words = texts.answer;
  const yes = yesWords(approval);
  const question = useRef<HTMLParagraphElement>(null);
  const reached = useReached(question, unseen);
  const still = sending || answersPaused.value;
  const open = (panel: Panel) => !still && onOpen(panel);

  // On a phone the buttons are visible before the values. The first press only scrolls to a question that has not been on the screen yet.
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
      {approves && enable && (
        <CheckBox checked={enable} disabled={sending}>
          {words.enable[approval.first_use?.enables ?? "session"](approval.tool)}
        </CheckBox>
      )}
      {approves && endorse && (
        <CheckBox checked={endorse} disabled={sending}>
          {words.endorse(approval.endorsable?.tool ?? "")}
        </CheckBox>
      )}
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
              aria-label={unseen || sending ? undefined : yes.label}
              onClick={approve}
            >
              <SendingLabel sending={sending}>
                {unseen ? words.seeFirst : yes.text}
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

interface CheckBoxProps {
  readonly checked: Signal<boolean>;
  readonly disabled: boolean;
  readonly children: string;
}

function CheckBox({ checked, disabled, children }: CheckBoxProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={checked.value}
        disabled={disabled}
        onChange={(event) => {
          checked.value = event.currentTarget.checked;
        }}
      />
      <span>{children}</span>
    </label>
  );
}

/** `unknown` until the browser reports it. */
type Reached = "unknown" | "no" | "yes";

/**
 * Whether the element has been on the screen.
 * @param above the content before the element: if it changes, the element counts as unseen again.
 */
function useReached(element: RefObject<HTMLElement | null>, above: boolean): ReadonlySignal<Reached> {
  const reached = useSignal<Reached>("unknown");
  useEffect(() => {
    if (!element.current) return;
    reached.value = "unknown";
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return;
        reached.value = entry.isIntersecting ? "yes" : "no";
        if (entry.isIntersecting) observer.disconnect();
      },
      // On a phone the navigation and the buttons above it cover the end of the screen, see `answer.css`.
      { rootMargin: window.matchMedia("(max-width: 39.99rem)").matches ? "0px 0px -136px 0px" : "0px" },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [above]);
  return reached;
}
