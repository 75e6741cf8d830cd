/** A message that says what was just done, with a button that takes it back for a few seconds. */
import { signal } from "@preact/signals";
import { texts } from "../texts/texts.ts";

const SHOWN_MS = 5000;

interface Undoable {
  readonly text: string;
  readonly undo: () => void;
}

const offered = signal<Undoable | undefined>(undefined);
let timer: ReturnType<typeof setTimeout> | undefined;

export function offerUndo(text: string, undo: () => void): void {
  offered.value = { text, undo };
  hideLater();
}

function hideLater(): void {
  clearTimeout(timer);
  timer = setTimeout(hide, SHOWN_MS);
}

function hide(): void {
  clearTimeout(timer);
  offered.value = undefined;
}

/** It stays while the pointer or the focus is in it. */
export function UndoToast() {
  const one = offered.value;
  return (
    <div class="toasts" role="status">
      {one && (
        <div
          class="toast"
          onPointerEnter={() => clearTimeout(timer)}
          onPointerLeave={hideLater}
          onFocusIn={() => clearTimeout(timer)}
          onFocusOut={hideLater}
        >
          <p>{one.text}</p>
          <button
            type="button"
            class="toast-button"
            onClick={() => {
              hide();
              one.undo();
            }}
          >
            {texts.shell.undo}
          </button>
        </div>
      )}
    </div>
  );
}
