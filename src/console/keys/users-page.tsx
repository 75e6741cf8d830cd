/** The page of users: the tenant's keys, and the state of one user. */
import { useSignal } from "@preact/signals";
import type { PolicyView } from "../../api-views/policy-views.ts";
import { call, type Failure } from "../api/call.ts";
import { Pill } from "../parts/parts.tsx";
import { rolesOf } from "../parts/roles.ts";
import { useApi, usePages } from "../parts/use-api.ts";
import { announce } from "../shell/announcer.tsx";
import { FailureNote, PageHeading, SkeletonRows } from "../shell/page-parts.tsx";
import { me } from "../sign-in/me.ts";
import { when } from "../texts/texts.ts";
import { People } from "./people.tsx";
import { texts } from "./texts.ts";

interface Key {
  readonly id: string;
  readonly name: string | null;
  readonly user: string;
  readonly role: string;
  readonly status: "active" | "expired" | "revoking";
  readonly acts_for: boolean;
  readonly expires_at: string | null;
  readonly created_at: string | null;
  readonly created_by: { readonly user: string };
}

export function UsersPage() {
  const keys = usePages<Key>("/admin/keys?limit=50&order=desc");
  return (
    <>
      <PageHeading>{texts.title}</PageHeading>
      <People />
      <section class="halves-section">
        <h2>{texts.keys}</h2>
        <p class="hint">{texts.keysLead}</p>
        <MakeKey onMade={() => void keys.loadNewer()} />
        {keys.rows.value?.length === 0 && <p class="lead">{texts.noKeys}</p>}
        {keys.rows.value && keys.rows.value.length > 0 && (
          <ul class="panel-box key-list">
            {keys.rows.value.map((key) => (
              <KeyRow key={key.id} of={key} onEnd={keys.reload} />
            ))}
          </ul>
        )}
        {keys.failure.value && <FailureNote failure={keys.failure.value} retry={keys.reload} />}
        {keys.loading.value && <SkeletonRows />}
        {keys.more.value && !keys.loading.value && (
          <button type="button" class="button wide" onClick={keys.loadMore}>
            {texts.more}
          </button>
        )}
      </section>
    </>
  );
}

const DEFAULT_LENGTH = "90d";

/** A browser may refuse to copy; the key is shown to be copied by hand. */
async function copy(token: string): Promise<void> {
  const done = await navigator.clipboard.writeText(token).then(
    () => true,
    () => false,
  );
  if (done) announce(texts.copiedKey);
}

function MakeKey({ onMade }: { readonly onMade: () => void }) {
  const token = useSignal<string | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);
  const policy = useApi<PolicyView>(`/admin/policies/${encodeURIComponent(me.value?.tenant ?? "")}`).value.value;
  const roles = rolesOf(policy?.document);

  async function make(form: HTMLFormElement): Promise<void> {
    const fields = Object.entries(Object.fromEntries(new FormData(form)));
    const body = Object.fromEntries(fields.filter(([, value]) => value !== ""));
    const made = await call<{ readonly token: string }>("/admin/keys", { method: "POST", body });
    failure.value = made.ok ? undefined : made.error;
    if (!made.ok) return;
    token.value = made.value.token;
    form.reset();
    onMade();
  }

  if (token.value !== undefined)
    return (
      <div class="note">
        <p>{texts.token}</p>
        <pre class="json">{token.value}</pre>
        <p>
          {texts.baseUrl}: <code>{`${location.origin}/v1`}</code>
        </p>
        <button type="button" class="button strong" onClick={() => void copy(token.value ?? "")}>
          {texts.copy}
        </button>{" "}
        <button
          type="button"
          class="button"
          onClick={() => {
            token.value = undefined;
          }}
        >
          {texts.copied}
        </button>
      </div>
    );
  return (
    <form
      class="filters"
      onSubmit={(event) => {
        event.preventDefault();
        void make(event.currentTarget);
      }}
    >
      <label>
        {texts.user}
        <input name="user" required autocomplete="off" />
      </label>
      <label>
        {texts.role}
        <select name="role">
          {roles.map((role) => (
            <option key={role} value={role}>
              {role}
            </option>
          ))}
        </select>
      </label>
      <label>
        {texts.name}
        <input name="name" autocomplete="off" />
      </label>
      <label>
        {texts.lasts}
        <select name="expires_in">
          {(Object.keys(texts.lengths) as (keyof typeof texts.lengths)[]).map((length) => (
            <option key={length} value={length === "never" ? "" : length} selected={length === DEFAULT_LENGTH}>
              {texts.lengths[length]}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" class="button strong">
        {texts.make}
      </button>
      {failure.value && <FailureNote failure={failure.value} />}
    </form>
  );
}

function KeyRow({ of, onEnd }: { readonly of: Key; readonly onEnd: () => void }) {
  const { id, name, user, role, status, expires_at: expires, created_at: at, created_by: by } = of;
  const failure = useSignal<Failure | undefined>(undefined);
  /** Ending a key cannot be undone, so it takes a second press. */
  const sure = useSignal(false);

  async function end(): Promise<void> {
    if (!sure.value) {
      sure.value = true;
      return;
    }
    const ended = await call<object>(`/admin/keys/${encodeURIComponent(id)}`, { method: "DELETE" });
    failure.value = ended.ok ? undefined : ended.error;
    if (!ended.ok) return;
    announce(texts.ended);
    onEnd();
  }

  return (
    <li class="decision-line">
      <span>
        <strong>{user}</strong> <span class="hint">{[role, name].filter(Boolean).join(" · ")}</span>
        <span class="key-made hint">
          <span class="mono">{id}</span> {texts.madeBy(by.user, at === null ? "" : when(at))}
        </span>
      </span>
      <Pill tone={status === "active" ? "go" : "wait"}>{texts.statuses[status]}</Pill>
      <span class="hint">{`${texts.ends}: ${expires === null ? texts.never : when(expires)}`}</span>
      <button type="button" class={`filter-pill ${sure.value ? "grave-text" : ""}`} onClick={() => void end()}>
        {sure.value ? texts.endSure(user) : texts.end}
      </button>
      {failure.value && <FailureNote failure={failure.value} />}
    </li>
  );
}
