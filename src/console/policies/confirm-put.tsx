/** Asks for a second press before a policy replaces the one in force, and says what users lose by it. */
import { useEffect, useRef } from "preact/hooks";
import { texts } from "./texts.ts";

interface ConfirmPutProps {
  /** Differences from the policy in force, in sentences. */
  readonly changes: readonly string[];
  readonly busy: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

export function ConfirmPut({ changes, busy, onConfirm, onCancel }: ConfirmPutProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The focus does not go to the button: the second press of a double click, or a key that is held, must not confirm.
  useEffect(() => heading.current?.focus(), []);
  return (
    <section class="confirm-put" aria-label={texts.changes}>
      <h2 ref={heading} tabIndex={-1}>
        {texts.changes}
      </h2>
      {changes.length === 0 ? (
        <p>{texts.noChanges}</p>
      ) : (
        <ul class="changes-list" lang="en">
          {changes.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <div class="buttons">
        <button type="button" class="button strong" aria-disabled={busy} onClick={() => !busy && onConfirm()}>
          {busy ? texts.putting : texts.confirm}
        </button>
        <button type="button" class="button" onClick={onCancel}>
          {texts.notYet}
        </button>
      </div>
    </section>
  );
}
