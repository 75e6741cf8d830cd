/** The frame around every page of a signed-in user. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import { connectionStatus } from "../inbox/connection.ts";
import { helpOpen } from "../inbox/shortcuts.ts";
import { pageAt } from "../pages.ts";
import { texts } from "../texts/texts.ts";
import { Icon, Mark } from "./icon.tsx";
import { Navigation } from "./navigation.tsx";
import { Palette, paletteKey, paletteOpen } from "./palette.tsx";
import { showTitle } from "./title.ts";
import { UndoToast } from "./undo-toast.tsx";

export function Shell({ children }: { readonly children: ComponentChildren }) {
  const { path } = useLocation();
  const page = pageAt(path);
  useEffect(() => showTitle(page?.name ?? "waiting"), [page?.name]);
  return (
    <div class="shell">
      <a class="skip" href="#main">
        {texts.nav.skip}
      </a>
      <header class="top">
        <a class="home" href="/console/approvals">
          <Mark />
          <span>Toolgate</span>
        </a>
        <GoTo />
        <ConnectionLabel />
      </header>
      <Navigation />
      <main id="main" class={`main ${page?.wide ? "wide" : ""}`} tabIndex={-1}>
        <OfflineNote />
        {children}
      </main>
      <UndoToast />
      <Palette />
      <KeysHelp />
    </div>
  );
}

function GoTo() {
  return (
    <button
      type="button"
      class="go-to"
      onClick={() => {
        paletteOpen.value = true;
      }}
    >
      <Icon name="search" />
      <span>{texts.shell.goTo}</span>
      <kbd>{paletteKey}</kbd>
    </button>
  );
}

function ConnectionLabel() {
  return (
    <p class={`link-state ${connectionStatus.value}`} role="status">
      <span class="dot" aria-hidden="true" />
      {texts.link[connectionStatus.value]}
    </p>
  );
}

function OfflineNote() {
  if (connectionStatus.value !== "offline") return null;
  return (
    <p class="note warn offline" role="alert">
      {texts.link.offlineNote}
    </p>
  );
}

function KeysHelp() {
  const dialog = useRef<HTMLDialogElement>(null);
  const words = texts.keys;
  useEffect(() => {
    if (helpOpen.value) dialog.current?.showModal();
    else dialog.current?.close();
  }, [helpOpen.value]);
  const keys = [
    [paletteKey, texts.shell.goTo],
    ["j", words.next],
    ["k", words.previous],
    ["a", words.approve],
    ["d", words.deny],
    ["e", words.edit],
    ["x", words.choose],
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
