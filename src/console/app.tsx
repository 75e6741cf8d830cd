/** The console: who is signed in sees its pages, who is not signs in. */

import { useEffect } from "preact/hooks";
import { LocationProvider, Route, Router, useLocation } from "preact-iso";
import { AllowedPage } from "./allowed/allowed-page.tsx";
import { HistoryPage } from "./history/history-page.tsx";
import { InboxPage } from "./inbox/inbox-page.tsx";
import { Announcer } from "./shell/announcer.tsx";
import { FailureNote } from "./shell/failure-note.tsx";
import { PageHeading } from "./shell/page-heading.tsx";
import { Shell } from "./shell/shell.tsx";
import { SkeletonCards } from "./shell/skeleton.tsx";
import { credential } from "./sign-in/credential.ts";
import { SignInPage } from "./sign-in/sign-in-page.tsx";
import { SignedInPage } from "./sign-in/signed-in-page.tsx";
import { loadMe, me, meFailed } from "./sign-in/who.ts";
import { texts } from "./texts/texts.ts";
import { YouPage } from "./you/you-page.tsx";

export function App() {
  return (
    <LocationProvider scope="/console">
      <Pages />
      <Announcer />
    </LocationProvider>
  );
}

function Pages() {
  const { path } = useLocation();
  if (path === "/console/signed-in") return <SignedInPage />;
  if (!credential.value) return <SignInPage />;
  if (!me.value) return <Opening />;
  return (
    <Shell>
      <Router>
        <Route path="/console/approvals" component={InboxPage} />
        <Route path="/console/approvals/answered" component={HistoryPage} />
        <Route path="/console/approvals/allowed" component={AllowedPage} />
        <Route path="/console/you" component={YouPage} />
        <Route path="/console" component={ToInbox} />
        <Route default component={NotFound} />
      </Router>
    </Shell>
  );
}

function Opening() {
  const failure = meFailed.value;
  if (!failure) {
    return (
      <Shell>
        <SkeletonCards />
      </Shell>
    );
  }
  return (
    <main class="sign-in">
      <FailureNote failure={failure} />
      <button type="button" class="button wide" onClick={() => void loadMe()}>
        {texts.failure.retry}
      </button>
    </main>
  );
}

function ToInbox() {
  const { route } = useLocation();
  useEffect(() => route("/console/approvals", true), []);
  return null;
}

const NotFound = () => <PageHeading>{texts.notFound}</PageHeading>;
