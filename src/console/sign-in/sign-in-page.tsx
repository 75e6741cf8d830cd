/** The sign-in page: asks for a key, or redirects to the provider. */
import { type Signal, signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { call, type Failure } from "../api/call.ts";
import { Mark } from "../shell/icon.tsx";
import { FailureNote } from "../shell/page-parts.tsx";
import { signIn, signOutReason } from "./credential.ts";
import { startSignIn } from "./provider.ts";
import { signInLanguage, signInTexts } from "./texts.ts";

const DEVELOPMENT_KEYS = ["tg-dev-guest", "tg-dev-user", "tg-dev-premium", "tg-dev-admin"] as const;

export function SignInPage() {
  const kept = useSignal(false);
  const failure = useSignal<Failure | undefined>(undefined);
  const words = signInTexts;
  useEffect(() => {
    document.title = `${words.title} · Toolgate`;
    void loadSignInOptions();
  }, []);
  const provider = signInOptions.value?.sign_in;

  return (
    <main class="sign-in" lang={signInLanguage}>
      <Mark large />
      <h1>{words.title}</h1>
      <p class="lead">{words.lead}</p>
      {signOutReason.value === "refused" && (
        <p class="note warn" role="alert">
          {words.refused}
        </p>
      )}
      {provider && (
        <button
          type="button"
          class="button strong wide"
          onClick={async () => {
            failure.value = await startSignIn(kept.value);
          }}
        >
          {words.with(provider.name)}
        </button>
      )}
      {provider && <p class="or">{words.or}</p>}
      <KeyForm kept={kept} second={provider !== null && provider !== undefined} />
      {failure.value && <FailureNote failure={failure.value} />}
      {signInOptions.value?.development && (
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

/** @param props.second whether another way to sign in is above it. */
function KeyForm({ kept, second }: { readonly kept: Signal<boolean>; readonly second: boolean }) {
  const key = useSignal("");
  const isWrong = useSignal(false);
  const words = signInTexts;
  function submit(event: Event): void {
    event.preventDefault();
    // A key that is pasted from a settings file may begin with the name of its header.
    const token = key.value.trim().replace(/^Bearer\s+/i, "");
    isWrong.value = !/^\S+$/.test(token);
    if (!isWrong.value) signIn(token, kept.value);
  }
  return (
    <form onSubmit={submit}>
      {isWrong.value && (
        <p class="note warn" role="alert">
          {words.noKey}
        </p>
      )}
      <label class="label" for="key">
        {words.key}
      </label>
      <input
        id="key"
        name="key"
        type="password"
        class="input mono"
        autocomplete="current-password"
        autocapitalize="none"
        spellcheck={false}
        required
        value={key.value}
        onInput={(event) => {
          key.value = event.currentTarget.value;
        }}
        aria-describedby="key-hint"
      />
      <p id="key-hint" class="hint">
        {words.keyHint}
      </p>
      <label class="check">
        <input
          type="checkbox"
          checked={kept.value}
          onChange={(event) => {
            kept.value = event.currentTarget.checked;
          }}
        />
        <span>{words.keep}</span>
      </label>
      <button type="submit" class={`button wide ${second ? "" : "strong"}`}>
        {words.submit}
      </button>
    </form>
  );
}

interface SignInOptions {
  /** Whether the development keys are accepted, as on the developer's own machine. */
  readonly development: boolean;
  readonly tokens: boolean;
  readonly sign_in: { readonly name: string } | null;
}

const signInOptions = signal<SignInOptions | undefined>(undefined);

async function loadSignInOptions(): Promise<void> {
  const options = await call<SignInOptions>("/console/config.json");
  if (options.ok) signInOptions.value = options.value;
}
