/** The root component: the pages for a signed-in user, else the sign-in page. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { LocationProvider, Route, Router, useLocation } from "preact-iso";
import type { Failure } from "./api/call.ts";
import { openPages, pageFor } from "./pages.ts";
import { Announcer } from "./shell/announcer.tsx";
import { Mark } from "./shell/icon.tsx";
import { FailureNote, PageHeading, SkeletonCards } from "./shell/page-parts.tsx";
import { Shell } from "./shell/shell.tsx";
import { credential, signIn } from "./sign-in/credential.ts";
import { loadMe, me, meFailed } from "./sign-in/me.ts";
import { finishSignIn } from "./sign-in/provider.ts";
import { SignInPage } from "./sign-in/sign-in-page.tsx";
import { signInLanguage, signInTexts } from "./sign-in/texts.ts";
import { texts } from "./texts/texts.ts";

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
  if (!me.value) return <LoadingMe />;
  return (
    <Shell>
      <Router>
        {openPages.value.flatMap(({ routes }) =>
          routes.map(([path, component]) => <Route key={path} path={path} component={component} />),
        )}
        <Route path="/console" component={ToInbox} />
        <Route default component={NotFound} />
      </Router>
    </Shell>
  );
}

function LoadingMe() {
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
      <Mark large />
      <h1>Toolgate</h1>
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

function NotFound() {
  const { path } = useLocation();
  const isOperators = pageFor(path)?.group === "operators";
  return <PageHeading>{isOperators ? texts.notYours(me.value?.user ?? "") : texts.notFound}</PageHeading>;
}

function SignedInPage() {
  const { route } = useLocation();
  const failure = useSignal<Failure | undefined>(undefined);
  useEffect(() => {
    void finishSignIn(location.search.slice(1)).then((back) => {
      if (!back.ok) {
        failure.value = back.error;
        return;
      }
      signIn(back.value.token, back.value.persistent);
      // The code must not stay in the browser's history.
      route("/console/approvals", true);
    });
  }, []);
  return (
    <main class="sign-in" lang={signInLanguage}>
      <Mark large />
      <h1>{signInTexts.title}</h1>
      {failure.value ? (
        <>
          <FailureNote failure={failure.value} />
          <a class="button strong wide" href="/console/approvals">
            {signInTexts.again}
          </a>
        </>
      ) : (
        <p class="lead" role="status">
          {signInTexts.coming}
        </p>
      )}
    </main>
  );
}
