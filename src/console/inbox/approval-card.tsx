/** One call that waits: what it would do and what follows from it, then how, then the answer. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { ApprovalView } from "../api/approval.ts";
import { Prose } from "../shell/prose.tsx";
import { me } from "../sign-in/who.ts";
import { texts } from "../texts/texts.ts";
import { ago } from "../texts/times.ts";
import { AnswerArea } from "./answer-area.tsx";
import { Changes } from "./changes.tsx";
import { now } from "./clock.ts";
import { Consequences } from "./consequences.tsx";
import { cardId } from "./focus.ts";
import { isUrgent } from "./order.ts";
import { shownValues, unseenValues } from "./shown-values.ts";
import { TimeLeft } from "./time-left.tsx";
import { Values } from "./values.tsx";

export function ApprovalCard({ approval }: { readonly approval: ApprovalView }) {
  const editing = useSignal(false);
  const { id, tool, code, details, user } = approval;
  const title = `${cardId(id)}-title`;
  const words = texts.card;
  const foreign = user !== undefined && user !== me.value?.user;
  const seen = useSignal<ReadonlySet<string>>(new Set());
  const values = useMemo(() => shownValues(approval), [approval]);
  const unseen = unseenValues(values, seen.value);
  const see = (...names: readonly string[]) => {
    seen.value = new Set([...seen.value, ...names]);
  };
  return (
    <article
      class={isUrgent(approval) ? "card urgent" : "card"}
      id={cardId(id)}
      data-approval={id}
      tabIndex={-1}
      aria-labelledby={title}
    >
      <TimeLeft approval={approval} />
      <p class="tool">
        <span class="mono">{tool}</span>
        <span class="code mono">
          <span class="visually-hidden">{words.code} </span>
          {code}
        </span>
        {foreign && <span class="asked">{words.by(user)}</span>}
        <span class="asked">
          <time dateTime={approval.created_at}>{words.asked(ago(now.value - Date.parse(approval.created_at)))}</time>
        </span>
      </p>
      <h2 id={title} lang={details.language}>
        <Prose text={approval.question} />
      </h2>
      {details.summary !== "" && (
        <p class="summary" lang={details.language}>
          <Prose text={details.summary} />
        </p>
      )}
      <Consequences approval={approval} />
      {!editing.value && <Changes lines={details.changes} />}
      {!editing.value && <Values values={values} seen={seen.value} onSee={see} />}
      {details.learn_more !== null && (
        <details class="learn">
          <summary>{words.learnMore}</summary>
          <p lang={details.language}>
            <Prose text={details.learn_more} />
          </p>
        </details>
      )}
      <AnswerArea
        approval={approval}
        foreign={foreign}
        editing={editing}
        unseen={unseen.length > 0}
        onSeeAll={() => see(...unseen)}
      />
    </article>
  );
}
