/** Denying, with a reason where the person has one. */
import { useSignal } from "@preact/signals";
import { FailureNote } from "../../shell/failure-note.tsx";
import { texts } from "../../texts/texts.ts";
import type { PanelProps } from "./answer-area.tsx";
import { PanelButtons } from "./panel-buttons.tsx";

const MAX_REASON = 1000;

export function DenyPanel({ approval, busy, sending, failure, onAnswer, onCancel }: PanelProps) {
  const reason = useSignal("");
  const words = texts.answer;
  const id = `${approval.id}-reason`;
  return (
    <form
      class="panel"
      onSubmit={(event) => {
        event.preventDefault();
        const said = reason.value.trim();
        onAnswer({ action: "deny", ...(said === "" ? {} : { reason: said }) });
      }}
    >
      <label class="label" for={id}>
        {words.reason}
      </label>
      <input
        id={id}
        class="input"
        type="text"
        maxLength={MAX_REASON}
        autocomplete="off"
        value={reason.value}
        onInput={(event) => {
          reason.value = event.currentTarget.value;
        }}
        aria-describedby={`${id}-hint`}
      />
      <p class="hint" id={`${id}-hint`}>
        {words.reasonHint}
      </p>
      {failure && <FailureNote failure={failure} />}
      <PanelButtons submit={words.denyNow} kind="grave" busy={busy} sending={sending} onCancel={onCancel} />
    </form>
  );
}
