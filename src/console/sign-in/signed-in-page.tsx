/** Where the provider sends the person back to. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { Failure } from "../api/failure.ts";
import { FailureNote } from "../shell/failure-note.tsx";
import { Mark } from "../shell/mark.tsx";
import { texts } from "../texts/texts.ts";
import { signIn } from "./credential.ts";
import { comeBack } from "./provider.ts";

export function SignedInPage() {
  const { route } = useLocation();
  const failure = useSignal<Failure | undefined>(undefined);
  useEffect(() => {
    void comeBack(location.search.slice(1)).then((back) => {
      if (!back.ok) {
        failure.value = back.error;
        return;
      }
      signIn(back.value.token, back.value.kept);
      // The code must not stay in the history.
      route("/console/approvals", true);
    });
  }, []);
  return (
    <main class="sign-in">
      <Mark large />
      <h1>{texts.signIn.title}</h1>
      {failure.value ? (
        <>
          <FailureNote failure={failure.value} />
          <a class="button strong wide" href="/console/approvals">
            {texts.signIn.again}
          </a>
        </>
      ) : (
        <p class="lead" role="status">
          {texts.signIn.coming}
        </p>
      )}
    </main>
  );
}
