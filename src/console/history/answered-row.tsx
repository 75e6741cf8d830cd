/** One answered call. */
import type { ApprovalTold } from "../api/approval.ts";
import { Changes } from "../inbox/changes.tsx";
import { Values } from "../inbox/values.tsx";
import { Prose } from "../shell/prose.tsx";
import { texts } from "../texts/texts.ts";
import { when } from "../texts/times.ts";
import { UndoButton } from "./undo-button.tsx";

export function AnsweredRow({ approval }: { readonly approval: ApprovalTold }) {
  const { status, answer, details, tool } = approval;
  const words = texts.answered;
  const outcome = status === "approved" && answer?.action === "edit" ? words.edited : words.status[status];
  return (
    <li class="row">
      <p class="outcome">
        <span class={`badge ${status}`}>{outcome}</span>
        <span class="mono">{tool}</span>
        <time dateTime={approval.answered_at ?? approval.expires_at}>
          {when(approval.answered_at ?? approval.expires_at)}
        </time>
      </p>
      {details ? (
        <details lang={details.language}>
          <summary>
            <span>
              <Prose text={details.summary} />
            </span>
          </summary>
          <Changes lines={details.changes} />
          <Values values={details.arguments} more={details.more} whole={approval.arguments} />
        </details>
      ) : (
        <p class="plain">{approval.disclosure}</p>
      )}
      <p class="hint">
        {[answer && words.by(answer.by), approval.user && texts.card.by(approval.user)].filter(Boolean).join(" · ")}
      </p>
      {answer?.reason && <p class="reason">{words.reason(answer.reason)}</p>}
      {details && status === "approved" && approval.reversible && approval.settled_by !== null && (
        <UndoButton approval={approval} />
      )}
    </li>
  );
}
