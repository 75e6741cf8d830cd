/** One call that waits: what it would do and what follows from it, then how, then the answer. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { ApprovalView } from "../../api/approval.ts";
import { Prose } from "../../shell/prose.tsx";
import { me } from "../../sign-in/who.ts";
import { texts } from "../../texts/texts.ts";
import { cardId } from "../focus.ts";
import { isUrgent } from "../order.ts";
import { AnswerArea } from "./answer-area.tsx";
import { AskedAt } from "./asked-at.tsx";
import { Changes } from "./changes.tsx";
import { Consequences } from "./consequences.tsx";
import { ExpiredNote } from "./expired-note.tsx";
import { shownValues, unseenValues } from "./shown-values.ts";
import { TimeLeft } from "./time-left.tsx";
import { Values } from "./values.tsx";

export interface ApprovalCardProps {
  readonly approval: ApprovalView;
  /** Nobody answered in time. */
  readonly expired: boolean;
}

export function ApprovalCard({ approval, expired }: ApprovalCardProps) {
  const editing = useSignal(false);
  const sending = useSignal(false);
  const { id, tool, code, details, user } = approval;
  const title = `${cardId(id)}-title`;
  const words = texts.card;
  // Where only the audit trail knows the call, it has no question.
  const question = approval.question || details.summary;
  const foreign = user !== undefined && user !== me.value?.user;
  // An answer that is under way may have been in time.
  const over = expired && !sending.value;
  const state = over ? "expired" : `${isUrgent(approval) ? "urgent" : ""} ${sending.value ? "sending" : ""}`;
  const seen = useSignal<ReadonlySet<string>>(new Set());
  const values = useMemo(() => shownValues(approval), [approval]);
  const unseen = unseenValues(values, seen.value);
  const see = (...names: readonly string[]) => {
    seen.value = new Set([...seen.value, ...names]);
  };
  return (
    <article
      class={`card ${state}`}
      aria-busy={sending.value}
      id={cardId(id)}
      data-approval={id}
      tabIndex={-1}
      aria-labelledby={title}
    >
      <TimeLeft approval={approval} expired={over} />
      <p class="tool">
        <span class="mono">{tool}</span>
        {code !== null && (
          <span class="code mono">
            <span class="visually-hidden">{words.code} </span>
            {code}
          </span>
        )}
        <AskedAt approval={approval} of={foreign ? user : undefined} />
      </p>
      <h2 id={title} lang={details.language}>
        <Prose text={question} />
      </h2>
      {details.summary !== question && details.summary !== "" && (
        <p class="summary" lang={details.language}>
          <Prose text={details.summary} />
        </p>
      )}
      <Consequences approval={approval} />
      {(over || !editing.value) && <Changes lines={details.changes} />}
      {(over || !editing.value) && <Values values={values} seen={seen.value} onSee={see} />}
      {details.learn_more !== null && (
        <details class="learn">
          <summary>{words.learnMore}</summary>
          <p lang={details.language}>
            <Prose text={details.learn_more} />
          </p>
        </details>
      )}
      {over ? (
        <ExpiredNote approval={approval} />
      ) : (
        <AnswerArea
          approval={approval}
          foreign={foreign}
          editing={editing}
          sending={sending}
          unseen={unseen.length > 0}
          onSeeAll={() => see(...unseen)}
        />
      )}
    </article>
  );
}
