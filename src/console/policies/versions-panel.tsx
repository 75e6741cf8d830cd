/** The versions of the policy, with author and time. Each can be compared with the draft, loaded as the draft, or put in force again. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { PolicyDiffView, PolicyUpdateView, PolicyVersionView, PolicyView } from "../../api-views/policy-views.ts";
import { call, type Failure } from "../api/call.ts";
import { Pill } from "../parts/parts.tsx";
import { usePages } from "../parts/use-api.ts";
import { announce } from "../shell/announcer.tsx";
import { lazyPage } from "../shell/lazy-page.tsx";
import { FailureNote, SkeletonRows } from "../shell/page-parts.tsx";
import { when } from "../texts/texts.ts";
import { ConfirmPut } from "./confirm-put.tsx";
import { type Document, type Draft, textOfDocument } from "./draft.ts";
import { texts } from "./texts.ts";

const Merge = lazyPage(() => import("./editor/merge-view.tsx").then(({ Merge }) => Merge));

interface VersionsProps {
  readonly tenant: string;
  readonly policy: PolicyView;
  readonly draft: Draft;
  /** The version that is compared with the draft at first. */
  readonly shown: string | undefined;
  readonly onPut: () => void;
}

export function VersionsPanel({ tenant, policy, draft, shown, onPut }: VersionsProps) {
  const words = texts.versions;
  const path = `/admin/policies/${encodeURIComponent(tenant)}`;
  const { rows, more, failure, loading, loadMore } = usePages<PolicyVersionView>(`${path}/versions?limit=20`);
  const compared = useSignal<string | undefined>(undefined);
  const confirming = useSignal<{ readonly id: string; readonly changes: readonly string[] } | undefined>(undefined);
  const busy = useSignal(false);
  const failed = useSignal<Failure | undefined>(undefined);

  useEffect(() => {
    if (shown !== undefined) void compare({ version: shown });
  }, [shown]);

  async function compare(version: Pick<PolicyVersionView, "version">): Promise<void> {
    const document = await documentOf(version);
    compared.value = document && textOfDocument(document);
  }

  async function documentOf({ version }: Pick<PolicyVersionView, "version">): Promise<Document | undefined> {
    const found = await call<PolicyView>(`${path}/versions/${encodeURIComponent(version ?? "")}`);
    failed.value = found.ok ? undefined : found.error;
    return found.ok ? found.value.document : undefined;
  }

  /** Shows what the version would change, before it is put in force. */
  async function ask(version: PolicyVersionView): Promise<void> {
    const document = await documentOf(version);
    if (!document) return;
    const diff = await call<PolicyDiffView>(`${path}/diff`, { method: "POST", body: { policy: document } });
    failed.value = diff.ok ? undefined : diff.error;
    if (diff.ok) confirming.value = { id: version.id, changes: diff.value.summary };
  }

  async function rollBack({ version }: PolicyVersionView): Promise<void> {
    busy.value = true;
    const written = await call<PolicyUpdateView>(`${path}/rollback`, {
      method: "POST",
      body: { version },
      ifVersion: policy.version,
    });
    busy.value = false;
    confirming.value = undefined;
    failed.value = written.ok ? undefined : written.error;
    if (!written.ok) return;
    announce(words.rolledBack);
    onPut();
  }

  if (compared.value !== undefined)
    return (
      <>
        <button
          type="button"
          class="button"
          onClick={() => {
            compared.value = undefined;
          }}
        >
          {words.close}
        </button>
        <Merge before={compared.value} after={draft.text.value} label={words.comparison} />
      </>
    );
  return (
    <>
      {rows.value?.length === 0 && <p class="lead">{words.none}</p>}
      <ul class="versions">
        {rows.value?.map((version) => (
          <li key={version.id}>
            <p>
              <strong>{version.created_at ? when(version.created_at) : "–"}</strong> {version.created_by}{" "}
              {version.version !== null && <span class="mono hint">{version.version.slice(0, 12)} </span>}
              <Pill tone="calm">{actionWords(version.action)}</Pill>{" "}
              {version.in_force && <Pill tone="go">{words.inForce}</Pill>}
            </p>
            {version.version !== null && (
              <p class="pills">
                <button type="button" class="filter-pill" onClick={() => void compare(version)}>
                  {words.compare}
                </button>
                <button
                  type="button"
                  class="filter-pill"
                  onClick={async () => {
                    const document = await documentOf(version);
                    if (document) draft.replace(textOfDocument(document));
                  }}
                >
                  {words.edit}
                </button>
                {!version.in_force && (
                  <button type="button" class="filter-pill" onClick={() => void ask(version)}>
                    {words.rollback}
                  </button>
                )}
              </p>
            )}
            {confirming.value?.id === version.id && (
              <ConfirmPut
                changes={confirming.value.changes}
                busy={busy.value}
                onConfirm={() => void rollBack(version)}
                onCancel={() => {
                  confirming.value = undefined;
                }}
              />
            )}
          </li>
        ))}
      </ul>
      {(failure.value ?? failed.value) && <FailureNote failure={(failure.value ?? failed.value) as Failure} />}
      {loading.value && <SkeletonRows />}
      {more.value && !loading.value && (
        <button type="button" class="button wide" onClick={loadMore}>
          {words.more}
        </button>
      )}
    </>
  );
}

const actionWords = (action: string): string =>
  (texts.versions.action as Readonly<Record<string, string>>)[action] ?? action;
