/** A list of what is allowed, each with a button that ends it. */
import { useSignal } from "@preact/signals";
import { useId, useRef } from "preact/hooks";
import { call } from "../api/call.ts";
import type { Failure } from "../api/failure.ts";
import { announce } from "../shell/announcer.tsx";
import { FailureNote } from "../shell/failure-note.tsx";
import { Prose } from "../shell/prose.tsx";
import { texts } from "../texts/texts.ts";

export interface AllowedItem {
  readonly key: string;
  readonly tool: string;
  readonly text: string;
  readonly about: string;
  /** What is deleted to end it. */
  readonly path: string;
}

export interface AllowedListProps {
  readonly title: string;
  readonly none: string;
  /** Undefined until they are known. */
  readonly items: readonly AllowedItem[] | undefined;
  readonly onGone: () => Promise<void>;
}

export function AllowedList({ title, none, items, onGone }: AllowedListProps) {
  const failure = useSignal<Failure | undefined>(undefined);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  const words = texts.allowed;
  async function withdraw({ path, tool }: AllowedItem): Promise<void> {
    const gone = await call(path, { method: "DELETE" });
    // What is gone already was to go.
    const done = gone.ok || (gone.error.kind === "refused" && gone.error.status === 404);
    failure.value = gone.ok || done ? undefined : gone.error;
    if (!done) return;
    announce(words.withdrawn(tool));
    await onGone();
    heading.current?.focus();
  }
  return (
    <section aria-labelledby={id} class="allowed">
      <h2 id={id} tabIndex={-1} ref={heading}>
        {title}
      </h2>
      {failure.value && <FailureNote failure={failure.value} />}
      {items?.length === 0 && <p class="hint">{none}</p>}
      <ul class="rows">
        {items?.map((item) => (
          <li key={item.key} class="row">
            <p class="outcome">
              <span class="mono">{item.tool}</span>
            </p>
            {item.text !== "" && (
              <p>
                <Prose text={item.text} />
              </p>
            )}
            {item.about !== "" && <p class="hint">{item.about}</p>}
            <button
              type="button"
              class="quiet small"
              aria-label={words.withdrawTool(item.tool)}
              onClick={() => void withdraw(item)}
            >
              {words.withdraw}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
