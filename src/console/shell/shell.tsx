/** What stands around every page of somebody who is signed in. */
import type { ComponentChildren } from "preact";
import { texts } from "../texts/texts.ts";
import { KeysHelp } from "./keys-help.tsx";
import { LinkState, OfflineNote } from "./link-state.tsx";
import { Mark } from "./mark.tsx";
import { Nav } from "./nav.tsx";

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
        <LinkState />
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
