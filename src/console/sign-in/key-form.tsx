/** The form for a key or a token. */
import { type Signal, useSignal } from "@preact/signals";
import { texts } from "../texts/texts.ts";
import { signIn } from "./credential.ts";

/** @param props.second whether another way stands above it. */
export function KeyForm({ kept, second }: { readonly kept: Signal<boolean>; readonly second: boolean }) {
  const key = useSignal("");
  const words = texts.signIn;
  function submit(event: Event): void {
    event.preventDefault();
    // Pasted from a settings file it may have its header before it.
    const token = key.value.trim().replace(/^Bearer\s+/i, "");
    if (/^\S+$/.test(token)) signIn(token, kept.value);
  }
  return (
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
      <button type="submit" class={`button wide ${second ? "" : "strong"}`}>
        {words.submit}
      </button>
    </form>
  );
}
