/** The form that erases one user's data. It cannot be undone, so the user's name has to be typed. */
import { useSignal } from "@preact/signals";
import { call, type Failure } from "../api/call.ts";
import { announce } from "../shell/announcer.tsx";
import { FailureNote } from "../shell/page-parts.tsx";
import { texts } from "./texts.ts";

interface Erasure {
  readonly id: string;
  readonly status: "in_progress" | "completed";
}

interface ErasePersonProps {
  readonly path: string;
  readonly user: string;
  readonly onErase: () => void;
}

export function ErasePerson({ path, user, onErase }: ErasePersonProps) {
  const typed = useSignal("");
  const failure = useSignal<Failure | undefined>(undefined);
  const erasure = useSignal<Erasure | undefined>(undefined);

  async function erase(): Promise<void> {
    if (typed.value !== user) return;
    const ordered = await call<Erasure>(path, { method: "DELETE" });
    failure.value = ordered.ok ? undefined : ordered.error;
    if (!ordered.ok) return;
    erasure.value = ordered.value;
    announce(texts.eraseOrdered(ordered.value.id), false);
    onErase();
  }

  return (
    <>
      <h3>{texts.erase}</h3>
      <p class="hint">{texts.eraseNote}</p>
      {erasure.value ? (
        <p class="note">{texts.eraseOrdered(erasure.value.id)}</p>
      ) : (
        <form
          class="filters"
          onSubmit={(event) => {
            event.preventDefault();
            void erase();
          }}
        >
          <label>
            {texts.eraseType(user)}
            <input
              name="erase"
              autocomplete="off"
              onInput={(event) => {
                typed.value = event.currentTarget.value;
              }}
            />
          </label>
          <button type="submit" class="button grave-text" disabled={typed.value !== user}>
            {texts.erase}
          </button>
        </form>
      )}
      {failure.value && <FailureNote failure={failure.value} />}
    </>
  );
}
