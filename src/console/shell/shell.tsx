/** What stands around every page of somebody who is signed in. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import { waiting } from "../inbox/approvals.ts";
import { connectionStatus } from "../inbox/connection.ts";
import { helpOpen } from "../inbox/shortcuts.ts";
import { texts } from "../texts/texts.ts";
import { Icon, Mark } from "./icon.tsx";

export function Shell({ children }: { readonly children: ComponentChildren }) {
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
        <ConnectionLabel />
      </header>
      <Nav />
      <main id="main" class="main" tabIndex={-1}>
        <OfflineNote />
        {children}
      </main>
      <KeysHelp />
    </div>
  );
}

const pages = [
  ["waiting", "/console/approvals"],
  ["history", "/console/approvals/answered"],
  ["allowed", "/console/approvals/allowed"],
  ["you", "/console/you"],
] as const;

function Nav() {
  const { path } = useLocation();
  return (
    <nav class="nav" aria-label={texts.nav.label}>
      <ul>
        {pages.map(([name, href]) => (
          <li key={name}>
            <a href={href} aria-current={path.replace(/\/$/, "") === href ? "page" : undefined}>
              <Icon name={name} />
              <span>{texts.nav[name]}</span>
              {name === "waiting" && waiting.value.length > 0 && <span class="count">{waiting.value.length}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
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
