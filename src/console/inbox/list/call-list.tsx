/** The list of waiting calls by conversation, a line or two for each call. */
import { memo } from "preact/compat";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { ApprovalView } from "../../../api-views/approval-views.ts";
import { ActIcon } from "../../parts/act-icon.tsx";
import { Ago, Left } from "../../parts/parts.tsx";
import { Icon } from "../../shell/icon.tsx";
import { Prose } from "../../shell/page-parts.tsx";
import { me } from "../../sign-in/me.ts";
import { when } from "../../texts/texts.ts";
import { approvalOf, isUrgent } from "../approvals.ts";
import { answersPaused, isOver, listed } from "../listed.ts";
import { answerTogether } from "./answer-together.ts";
import { callLine, groupCalls } from "./groups.ts";
import { isChosen, rowId, show, shown, toggleChosen } from "./selection.ts";
import { type Side, useSwipe } from "./swipe.ts";
import { texts } from "./texts.ts";

export function CallList() {
  const groups = useInPieces(groupCalls(listed.value.flatMap((id) => approvalOf(id) ?? [])));
  const self = me.value?.user;
  // With one call per conversation no headings are needed.
  const headed = groups.some(({ calls }) => calls.length > 1);
  return (
    <nav class="call-list" aria-label={texts.list}>
      {groups.map(({ session, user, calls }) => (
        <section key={`${user ?? ""} ${session}`}>
          {headed && (
            <h2 title={session}>
              <span>{user === undefined || user === self ? texts.yours : user}</span>
              <span class="clipped">{conversationName(calls)}</span>
            </h2>
          )}
          <ul>
            {calls.map((approval) => (
              <Row
                key={approval.id}
                approval={approval}
                current={shown.value === approval.id}
                chosen={isChosen(approval.id)}
                over={isOver(approval.id)}
                user={headed || user === self ? undefined : user}
              />
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

/** The user's first words, else the time of the first call: a session id is no name for users. */
function conversationName(calls: readonly ApprovalView[]): string {
  const words = calls.map(({ user_words }) => user_words).find(Boolean);
  if (words) return texts.wrote(words);
  const [first = ""] = calls.map(({ created_at }) => created_at).sort();
  return when(first);
}

const PIECE = 20;

/** Draws a long list in pieces, each in its own task, so that a press in between is handled at once. */
function useInPieces<T>(all: readonly T[]): readonly T[] {
  const [drawn, setDrawn] = useState(PIECE);
  const more = drawn < all.length;
  useEffect(() => {
    if (!more) return;
    const timer = setTimeout(() => setDrawn(drawn + PIECE));
    return () => clearTimeout(timer);
  }, [drawn, more]);
  return more ? all.slice(0, drawn) : all;
}

interface RowProps {
  readonly approval: ApprovalView;
  readonly current: boolean;
  readonly chosen: boolean;
  readonly over: boolean;
  /** The user of the call, if no heading names them. */
  readonly user: string | undefined;
}

const Row = memo(({ approval, current, chosen, over, user }: RowProps) => {
  const { id, tool, created_at, expires_at, details } = approval;
  const { act, values, grave } = callLine(approval);
  const line = useRef<HTMLLIElement>(null);
  // Only deny is possible without having seen all values.
  const swiped = useCallback(
    (side: Side) => {
      if (side === "right" || over) open(id);
      else if (!answersPaused.peek()) answerTogether([id], "deny");
    },
    [id, over],
  );
  useSwipe(line, swiped);
  return (
    <li
      ref={line}
      class={`call-row ${chosen ? "chosen" : ""} ${over ? "over" : ""} ${isUrgent(approval) ? "urgent" : ""}`}
      data-left={texts.swipeDeny}
      data-right={texts.swipeOpen}
    >
      <label class="choose">
        <input
          type="checkbox"
          checked={chosen}
          aria-label={texts.choose(act.replaceAll("`", ""))}
          onClick={(event) => toggleChosen(id, event.shiftKey)}
        />
        <ActIcon tool={tool} />
      </label>
      <button type="button" id={rowId(id)} aria-current={current ? "true" : undefined} onClick={() => open(id)}>
        <span class="act-line clipped" lang={details.language}>
          <Prose text={act} />
        </span>
        <span class="more-line">
          {values !== "" && <span class="mono clipped">{values}</span>}
          {user !== undefined && <span class="clipped who">{user}</span>}
          {over ? <Ago at={created_at} /> : <Left until={expires_at} />}
        </span>
        {grave && (
          <span class="risk">
            <Icon name="warning" />
            <span class="visually-hidden">{texts.grave}</span>
          </span>
        )}
      </button>
    </li>
  );
});

function open(id: string): void {
  show(id);
  requestAnimationFrame(() => {
    window.scrollTo({ top: 0 });
    document.querySelector<HTMLElement>("[data-approval]")?.focus({ preventScroll: true });
  });
}
