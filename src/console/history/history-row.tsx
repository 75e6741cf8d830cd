/** One call that was answered, or that ended without an answer. */
import { useSignal } from "@preact/signals";
import type { ApprovalView } from "../api/approval.ts";
import { Changes } from "../inbox/card/changes.tsx";
import { shownValues } from "../inbox/card/shown-values.ts";
import { Values } from "../inbox/card/values.tsx";
import { Prose } from "../shell/prose.tsx";
import { me } from "../sign-in/who.ts";
import { texts } from "../texts/texts.ts";
import { when } from "../texts/times.ts";
import { CallLine } from "./call-line.tsx";
import { outcomeText, outcomeTime } from "./outcome.ts";
import { UndoNote } from "./undo-note.tsx";

export function HistoryRow({ approval }: { readonly approval: ApprovalView }) {
  const { status, answer, details, tool } = approval;
  const words = texts.history;
  const seen = useSignal<ReadonlySet<string>>(new Set());
  const mine = approval.user === undefined || approval.user === me.value?.user;
  const about = [
    ...(answer && answer.by !== me.value?.user ? [words.by(answer.by)] : []),
    ...(approval.user === undefined ? [] : [words.askedOf(approval.user)]),
    ...(status === "expired" ? [texts.expired.note] : []),
  ];
  return (
    <li class="row">
      <p class="outcome">
        <span class={`badge ${status}`}>{outcomeText(approval, texts)}</span>
        <time dateTime={outcomeTime(approval)}>{when(outcomeTime(approval))}</time>
      </p>
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
      {about.length > 0 && <p class="hint">{about.join(" · ")}</p>}
      {answer?.reason && <p class="reason">{words.reason(answer.reason)}</p>}
      {/* Only whose call it was can look whether it can be undone, and undo it. */}
      {mine && status === "approved" && approval.reversible && approval.settled_by !== null && (
        <UndoNote id={approval.settled_by} />
      )}
    </li>
  );
}
