/** The command palette (`⌘K`): every page and action by its name. On a phone it also has the pages that do not fit in the bar. */
import { signal, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import { helpOpen } from "../inbox/shortcuts.ts";
import { openPages } from "../pages.ts";
import { signOut } from "../sign-in/credential.ts";
import { texts } from "../texts/texts.ts";
import { findCommands } from "./find-commands.ts";
import { Icon, type IconName } from "./icon.tsx";

export const paletteOpen = signal(false);

/** Whether the shortcut uses the command key, by the browser's platform. */
export const paletteKey = /Mac|iP(hone|ad|od)/.test(navigator.userAgent) ? "⌘K" : "Ctrl K";

interface Command {
  readonly name: string;
  readonly icon: IconName;
  readonly run: () => void;
}

export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(listenToPaletteKey, []);
  // The contents fill the dialog, so a press on the dialog itself is on its backdrop.
  useEffect(() => {
    dialog.current?.addEventListener("click", ({ target }) => target === dialog.current && close());
  }, []);
  // At once: the browser reports the close only later, when the shortcut may have opened the dialog again.
  useLayoutEffect(() => {
    if (paletteOpen.value) dialog.current?.showModal();
    else dialog.current?.close();
  }, [paletteOpen.value]);
  const closed = () => {
    if (!dialog.current?.open) close();
  };
  return (
    <dialog ref={dialog} class="palette" aria-label={texts.shell.goTo} onCancel={close} onClose={closed}>
      {paletteOpen.value && <PaletteSearch />}
    </dialog>
  );
}

const close = () => {
  paletteOpen.value = false;
};

function PaletteSearch() {
  const query = useSignal("");
  const chosen = useSignal(0);
  const found = findCommands(useCommands(), query.value);
  const at = Math.min(chosen.value, found.length - 1);
  const run = (command: Command | undefined) => {
    if (!command) return;
    close();
    command.run();
  };
  const press = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) chosen.value = (at + step + found.length) % found.length;
    else if (event.key === "Enter") run(found[at]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        class="palette-input"
        type="text"
        role="combobox"
        aria-label={texts.shell.goTo}
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found.length > 0 ? `palette-${at}` : undefined}
        aria-autocomplete="list"
        autocomplete="off"
        spellcheck={false}
        placeholder={texts.shell.goToHint}
        value={query.value}
        onInput={(event) => {
          query.value = event.currentTarget.value;
          chosen.value = 0;
        }}
        onKeyDown={press}
      />
      {/* The field handles the keys: it keeps the focus. */}
      <div id="palette-list" role="listbox" aria-label={texts.shell.goTo} class="palette-list">
        {found.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field above has the keys and the focus
          <div
            key={command.name}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === at}
            class="palette-option"
            onClick={() => run(command)}
          >
            <Icon name={command.icon} />
            {command.name}
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p class="palette-none" role="status">
          {texts.shell.nothingFound}
        </p>
      )}
    </>
  );
}

function useCommands(): readonly Command[] {
  const { route } = useLocation();
  return [
    ...openPages.value.map(({ name, path }) => ({ name: texts.nav[name], icon: name, run: () => route(path) })),
    {
      name: texts.keys.title,
      icon: "keys",
      run: () => {
        helpOpen.value = true;
      },
    },
    { name: texts.you.signOut, icon: "leave", run: () => signOut("left") },
  ];
}

function listenToPaletteKey(): () => void {
  const listen = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey) return;
    event.preventDefault();
    paletteOpen.value = !paletteOpen.value;
  };
  document.addEventListener("keydown", listen);
  return () => document.removeEventListener("keydown", listen);
}
