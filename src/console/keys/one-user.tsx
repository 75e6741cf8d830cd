/** What one user has linked and allowed, with buttons that withdraw one item or all. */
import { useSignal } from "@preact/signals";
import type { GateView, GrantView, ListOf } from "../../api-views/approval-views.ts";
import { call, type Failure } from "../api/call.ts";
import { useApi } from "../parts/use-api.ts";
import { announce } from "../shell/announcer.tsx";
import { FailureNote, Prose, SkeletonRows } from "../shell/page-parts.tsx";
import { when } from "../texts/texts.ts";
import { SealCheck } from "../trail/seal-check.tsx";
import { ErasePerson } from "./erase-person.tsx";
import { texts } from "./texts.ts";

interface Connection {
  readonly provider: string;
  readonly hosts: readonly string[];
  readonly has_token: boolean;
  readonly expires_at: string | null;
}

export function UserState({ user }: { readonly user: string }) {
  const path = `/v1/users/${encodeURIComponent(user)}`;
  /** Counts resets, so that the lists are read again. */
  const round = useSignal(0);
  return (
    <>
      <p class="pills">
        <a class="filter-pill" href={`/console/sessions?user=${encodeURIComponent(user)}`}>
          {texts.sessions}
        </a>
        <a class="filter-pill" href={`/console/audit?${new URLSearchParams({ kind: "decisions", user })}`}>
          {texts.calls}
        </a>
        <a class="filter-pill" href={`/console/audit?${new URLSearchParams({ kind: "approvals", user })}`}>
          {texts.questions}
        </a>
      </p>
      <SealCheck user={user} />
      <Removable<GrantView>
        key={`grants ${round.value}`}
        title={texts.grants}
        none={texts.noGrants}
        remove={texts.withdraw}
        path={`${path}/grants`}
        entry={({ id, tool, text, expires_at: expires }) => ({
          id,
          name: tool,
          about: expires === null ? text : `${text} · ${texts.until(when(expires))}`,
        })}
      />
      <Removable<GateView>
        key={`gates ${round.value}`}
        title={texts.consents}
        none={texts.noConsents}
        remove={texts.withdraw}
        path={`${path}/gates`}
        entry={({ tool, destination, opened_at: at }) => ({
          id: tool,
          name: tool,
          about: [destination, when(at)].filter(Boolean).join(" · "),
        })}
      />
      <Removable<Connection>
        title={texts.connections}
        none={texts.noConnections}
        remove={texts.unlink}
        path={`${path}/connections`}
        entry={({ provider, hosts, has_token: hasToken }) => ({
          id: provider,
          name: provider,
          about: [hasToken ? texts.hasToken : texts.noToken, ...hosts].join(" · "),
        })}
      />
      <Reset
        path={`${path}/reset`}
        onReset={() => {
          round.value++;
        }}
      />
      <ErasePerson path={path} user={user} onErase={() => round.value++} />
    </>
  );
}

interface Entry {
  /** The part of the path whose DELETE ends it. */
  readonly id: string;
  readonly name: string;
  readonly about: string;
}

interface RemovableProps<T> {
  readonly title: string;
  readonly none: string;
  /** The button's text. */
  readonly remove: string;
  readonly path: string;
  readonly entry: (of: T) => Entry;
}

/** A list of what the user has, each with a button that ends it. */
function Removable<T>({ title, none, remove, path, entry }: RemovableProps<T>) {
  const { value, failure, loading, reload } = useApi<ListOf<T>>(path);
  const refused = useSignal<Failure | undefined>(undefined);
  const shown = failure.value ?? refused.value;

  async function end({ id, name }: Entry): Promise<void> {
    const removed = await call<object>(`${path}/${encodeURIComponent(id)}`, { method: "DELETE" });
    refused.value = removed.ok ? undefined : removed.error;
    if (removed.ok) announce(texts.removed(name));
    reload();
  }

  return (
    <>
      <h3>{title}</h3>
      {shown && <FailureNote failure={shown} />}
      {loading.value && !value.value && <SkeletonRows />}
      {value.value?.data.length === 0 && <p class="lead">{none}</p>}
      <ul class="plain-list">
        {value.value?.data.map(entry).map((one) => (
          <li key={one.id} class="decision-line">
            <strong>{one.name}</strong>
            <span class="hint">
              <Prose text={one.about} />
            </span>
            <button type="button" class="filter-pill" onClick={() => void end(one)}>
              {remove}
              <span class="visually-hidden"> {one.name}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** It cannot be undone, so it takes a second press. */
function Reset({ path, onReset }: { readonly path: string; readonly onReset: () => void }) {
  const sure = useSignal(false);
  const failure = useSignal<Failure | undefined>(undefined);
  const done = useSignal("");

  async function reset(): Promise<void> {
    if (!sure.value) {
      sure.value = true;
      return;
    }
    sure.value = false;
    const made = await call<Counts>(path, { method: "POST" });
    failure.value = made.ok ? undefined : made.error;
    if (!made.ok) return;
    done.value = texts.resetDone(made.value.sessions, made.value.grants + made.value.consents);
    announce(done.value, false);
    onReset();
  }

  return (
    <>
      <h3>{texts.reset}</h3>
      <p class="hint">{texts.resetNote}</p>
      <button type="button" class={`button ${sure.value ? "grave-text" : ""}`} onClick={() => void reset()}>
        {sure.value ? texts.resetSure : texts.reset}
      </button>
      {done.value !== "" && <p class="note">{done.value}</p>}
      {failure.value && <FailureNote failure={failure.value} />}
    </>
  );
}

interface Counts {
  readonly sessions: number;
  readonly grants: number;
  readonly consents: number;
}
