/** Asks for a key, or sends the person to the provider. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Failure } from "../api/failure.ts";
import { FailureNote } from "../shell/failure-note.tsx";
import { Mark } from "../shell/mark.tsx";
import { texts } from "../texts/texts.ts";
import { ended, signIn } from "./credential.ts";
import { leaveForProvider } from "./provider.ts";
import { loadWays, ways } from "./ways.ts";

const DEVELOPMENT_KEYS = ["tg-dev-user", "tg-dev-premium", "tg-dev-admin"] as const;

export function SignInPage() {
  const key = useSignal("");
  const kept = useSignal(false);
  const failure = useSignal<Failure | undefined>(undefined);
  const words = texts.signIn;
  useEffect(() => {
    document.title = `${words.title} · Toolgate`;
    void loadWays();
  }, []);
  const provider = ways.value?.sign_in;

  function submit(event: Event): void {
    event.preventDefault();
    // Pasted from a settings file it may have its header before it.
    const token = key.value.trim().replace(/^Bearer\s+/i, "");
    if (/^\S+$/.test(token)) signIn(token, kept.value);
  }

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
      <form onSubmit={submit}>
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
        <button type="submit" class={`button wide ${provider ? "" : "strong"}`}>
          {words.submit}
        </button>
      </form>
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
