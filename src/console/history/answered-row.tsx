/** One answered call. */
import { useSignal } from "@preact/signals";
import type { ApprovalTold } from "../api/approval.ts";
import { Changes } from "../inbox/changes.tsx";
import { shownValues } from "../inbox/shown-values.ts";
import { Values } from "../inbox/values.tsx";
import { Prose } from "../shell/prose.tsx";
import { me } from "../sign-in/who.ts";
import { texts } from "../texts/texts.ts";
import { when } from "../texts/times.ts";
import { CallLine } from "./call-line.tsx";
import { UndoNote } from "./undo-note.tsx";

export function AnsweredRow({ approval }: { readonly approval: ApprovalTold }) {
  const { status, answer, details, tool } = approval;
  const words = texts.answered;
  const seen = useSignal<ReadonlySet<string>>(new Set());
  const mine = approval.user === undefined || approval.user === me.value?.user;
  const outcome = status === "approved" && answer?.action === "edit" ? words.edited : words.status[status];
  const about = [
    ...(answer && answer.by !== me.value?.user ? [words.by(answer.by)] : []),
    ...(approval.user === undefined ? [] : [texts.card.by(approval.user)]),
  ];
  return (
    <li class="row">
      <p class="outcome">
        <span class={`badge ${status}`}>{outcome}</span>
        <time dateTime={approval.answered_at ?? approval.expires_at}>
          {when(approval.answered_at ?? approval.expires_at)}
        </time>
      </p>
      {details ? (
        <details>
          <summary>
            <CallLine tool={tool} first={details.arguments[0]} />
          </summary>
          <p class="plain" lang={details.language}>
            <Prose text={[approval.question, details.summary].filter((text) => text !== "").join(" ")} />
          </p>
          <Changes lines={details.changes} />
          <Values
            values={shownValues(approval)}
            seen={seen.value}
            onSee={(name) => {
              seen.value = new Set([...seen.value, name]);
            }}
          />
        </details>
      ) : (
        <>
          <p>
            <CallLine tool={tool} first={undefined} />
          </p>
          <p class="plain">{approval.disclosure}</p>
        </>
      )}
      {about.length > 0 && <p class="hint">{about.join(" · ")}</p>}
      {answer?.reason && <p class="reason">{words.reason(answer.reason)}</p>}
      {/* Only whose call it was can look whether it can be undone, and undo it. */}
      {mine && details && status === "approved" && approval.reversible && approval.settled_by !== null && (
        <UndoNote id={approval.settled_by} />
      )}
    </li>
  );
}
