/** Loads the script of a page when it is opened. */
import type { ComponentType } from "preact";
import { lazy } from "preact-iso";
import { texts } from "../texts/texts.ts";
import { PageHeading } from "./page-parts.tsx";

/** @param load imports its module: `() => import("../sessions/sessions-page.tsx").then(({ SessionsPage }) => SessionsPage)` */
export const lazyPage = <P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> =>
  lazy(() => load().catch(() => Missing as ComponentType<P>));

/** Shown if the script cannot be loaded: no network, or the gateway was updated and has other files now. */
function Missing() {
  const words = texts.shell;
  return (
    <>
      <PageHeading>{words.missingTitle}</PageHeading>
      <p class="lead">{words.missing}</p>
      <button type="button" class="button strong" onClick={() => location.reload()}>
        {words.reload}
      </button>
    </>
  );
}
