/** One call that waits: what it would do and what follows from it, then how, then the answer. */
import { useSignal } from "@preact/signals";
import type { ApprovalView } from "../api/approval.ts";
import { Prose } from "../shell/prose.tsx";
import { me } from "../sign-in/who.ts";
import { texts } from "../texts/texts.ts";
import { AnswerArea } from "./answer-area.tsx";
import { Changes } from "./changes.tsx";
import { Consequences } from "./consequences.tsx";
import { cardId } from "./focus.ts";
import { isUrgent } from "./order.ts";
import { TimeLeft } from "./time-left.tsx";
import { Values } from "./values.tsx";

export function ApprovalCard({ approval }: { readonly approval: ApprovalView }) {
  const editing = useSignal(false);
  const { id, tool, code, details, user } = approval;
  const title = `${cardId(id)}-title`;
  const words = texts.card;
  const foreign = user !== undefined && user !== me.value?.user;
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
      </p>
      <h2 id={title} lang={details.language}>
        <Prose text={details.summary} />
      </h2>
      <Consequences approval={approval} />
      {!editing.value && <Changes lines={details.changes} />}
      {!editing.value && <Values values={details.arguments} more={details.more} whole={approval.arguments} />}
      {details.learn_more !== null && (
        <details class="learn">
          <summary>{words.learnMore}</summary>
          <p lang={details.language}>
            <Prose text={details.learn_more} />
          </p>
        </details>
      )}
      <AnswerArea approval={approval} foreign={foreign} editing={editing} />
    </article>
  );
}
