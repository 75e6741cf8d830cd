/** Asks for a key, or sends the person to the provider. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Failure } from "../api/failure.ts";
import { FailureNote } from "../shell/failure-note.tsx";
import { Mark } from "../shell/mark.tsx";
import { texts } from "../texts/texts.ts";
import { ended, signIn } from "./credential.ts";
import { KeyForm } from "./key-form.tsx";
import { leaveForProvider } from "./provider.ts";
import { loadWays, ways } from "./ways.ts";

const DEVELOPMENT_KEYS = ["tg-dev-guest", "tg-dev-user", "tg-dev-premium", "tg-dev-admin"] as const;

export function SignInPage() {
  const kept = useSignal(false);
  const failure = useSignal<Failure | undefined>(undefined);
  const words = texts.signIn;
  useEffect(() => {
    document.title = `${words.title} · Toolgate`;
    void loadWays();
  }, []);
  const provider = ways.value?.sign_in;

  return (
    <main class="sign-in">
      <Mark large />
      <h1>{words.title}</h1>
      <p class="lead">{words.lead}</p>
      {ended.value === "refused" && (
        <p class="note warn" role="alert">
          {words.refused}
        </p>
      )}
      {provider && (
        <button
          type="button"
          class="button strong wide"
          onClick={async () => {
            failure.value = await leaveForProvider(kept.value);
          }}
        >
          {words.with(provider.name)}
        </button>
      )}
      {provider && <p class="or">{words.or}</p>}
      <KeyForm kept={kept} second={provider !== null && provider !== undefined} />
      {failure.value && <FailureNote failure={failure.value} />}
      {ways.value?.development && (
        <section class="development" aria-labelledby="development">
          <h2 id="development">{words.development}</h2>
          <div class="chips">
            {DEVELOPMENT_KEYS.map((name) => (
              <button key={name} type="button" class="chip mono" onClick={() => signIn(name, kept.value)}>
                {name}
              </button>
            ))}
          </div>
        </section>
      )}
    </main>
  );
}
