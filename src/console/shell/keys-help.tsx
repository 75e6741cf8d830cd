/** The list of keys. */
import { useEffect, useRef } from "preact/hooks";
import { helpOpen } from "../inbox/shortcuts.ts";
import { texts } from "../texts/texts.ts";

export function KeysHelp() {
  const dialog = useRef<HTMLDialogElement>(null);
  const words = texts.keys;
  useEffect(() => {
    if (helpOpen.value) dialog.current?.showModal();
    else dialog.current?.close();
  }, [helpOpen.value]);
  const keys = [
    ["j", words.next],
    ["k", words.previous],
    ["a", words.approve],
    ["d", words.deny],
    ["e", words.edit],
    ["?", words.help],
  ] as const;
  return (
    <dialog
      ref={dialog}
      class="keys"
      aria-labelledby="keys-title"
      onClose={() => {
        helpOpen.value = false;
      }}
    >
      <h2 id="keys-title">{words.title}</h2>
      <dl>
        {keys.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit" class="button wide">
          {words.close}
        </button>
      </form>
    </dialog>
  );
}
