/** The policy page: the editor, and panels that check, simulate and replay the draft and list versions. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { ListOf } from "../../api-views/approval-views.ts";
import type { PolicyUpdateView, PolicyView, SeenToolView } from "../../api-views/policy-views.ts";
import { call, type Failure } from "../api/call.ts";
import { useApi } from "../parts/use-api.ts";
import { announce } from "../shell/announcer.tsx";
import { lazyPage } from "../shell/lazy-page.tsx";
import { FailureNote, PageHeading, SkeletonRows } from "../shell/page-parts.tsx";
import { offerUndo } from "../shell/undo-toast.tsx";
import { me } from "../sign-in/me.ts";
import { when } from "../texts/texts.ts";
import { CandidatePanel } from "./candidate-panel.tsx";
import { CasesPanel } from "./cases-panel.tsx";
import { CheckPanel, NotJson } from "./check-panel.tsx";
import { ConfirmPut } from "./confirm-put.tsx";
import { withTools } from "./document-edits.ts";
import { type Check, type Draft, documentOf, hasComments, textOfDocument, useDraft } from "./draft.ts";
import { forgetDraft } from "./kept-draft.ts";
import { MissedMessages } from "./missed-messages.tsx";
import { takenNames, triedCall } from "./policy-address.ts";
import { ReplayPanel } from "./replay-panel.tsx";
import { SimulatePanel } from "./simulate-panel.tsx";
import { Suggestions } from "./suggestions.tsx";
import { texts } from "./texts.ts";
import { VersionsPanel } from "./versions-panel.tsx";

// Loaded late: three times as large as the rest of the page. In two parts, because each is parsed and run as one task.
const JsonEditor = lazyPage(async () => {
  await import("./editor/editor-look.ts");
  return (await import("./editor/json-editor.tsx")).JsonEditor;
});

const TABS = ["check", "simulate", "cases", "replay", "candidate", "versions"] as const;
type Tab = (typeof TABS)[number];

export function PolicyPage() {
  const tenant = me.value?.tenant ?? "";
  const { value, failure, reload } = useApi<PolicyView>(`/admin/policies/${encodeURIComponent(tenant)}`);
  const policy = value.value;
  return (
    <>
      <PageHeading>{texts.title}</PageHeading>
      {failure.value && <FailureNote failure={failure.value} retry={reload} />}
      {!policy && !failure.value && <SkeletonRows />}
      {/* Keyed: the draft is checked again when another version is in force. */}
      {policy && <Workbench key={policy.version} tenant={tenant} policy={policy} onPut={reload} />}
    </>
  );
}

interface WorkbenchProps {
  readonly tenant: string;
  readonly policy: PolicyView;
  readonly onPut: () => void;
}

function Workbench({ tenant, policy, onPut }: WorkbenchProps) {
  const draft = useDraft(tenant, policy);
  const { version, at } = useLocation().query;
  const isOther = version !== undefined && version !== (policy.version ?? version);
  const tab = useSignal<Tab>(triedCall.peek() ? "simulate" : isOther ? "versions" : "check");
  const check = draft.check.value;
  // The editor itself marks the faults of a text that cannot be read.
  const issues = check.state === "refused" || check.state === "valid" ? check.issues : [];
  const show = (name: Tab) => {
    tab.value = name;
  };
  const notTaken = useTakenTools(policy, draft);
  return (
    <>
      <InForce policy={policy} />
      {notTaken && <FailureNote failure={notTaken} />}
      <div class="workbench policy">
        <section class="panel-box">
          <div class="editor-place">
            <JsonEditor
              text={draft.text.value}
              generation={draft.generation.value}
              label={texts.editor}
              issues={issues}
              at={at}
              onChange={draft.edit}
            />
          </div>
          <PutBar
            tenant={tenant}
            policy={policy}
            draft={draft}
            check={check}
            onPut={onPut}
            onCompare={() => show("check")}
          />
        </section>
        <section class="panel-box">
          <nav class="segments" aria-label={texts.tabsLabel}>
            {TABS.map((name) => (
              <button key={name} type="button" aria-pressed={tab.value === name} onClick={() => show(name)}>
                {texts.tabs[name]}
              </button>
            ))}
          </nav>
          <div class="padded">
            {check.state === "not_json" && !["check", "versions"].includes(tab.value) && (
              <NotJson issues={check.issues} />
            )}
            {tab.value === "check" && <CheckPanel check={check} before={textOfDocument(policy.document)} />}
            {tab.value === "check" && check.state === "unchanged" && (
              <>
                <Suggestions tenant={tenant} draft={draft} />
                <MissedMessages tenant={tenant} policy={policy} draft={draft} />
              </>
            )}
            {tab.value === "simulate" && <SimulatePanel tenant={tenant} draft={draft} />}
            {tab.value === "cases" && <CasesPanel tenant={tenant} draft={draft} />}
            {tab.value === "replay" && <ReplayPanel tenant={tenant} draft={draft} />}
            {tab.value === "candidate" && <CandidatePanel tenant={tenant} draft={draft} />}
            {tab.value === "versions" && (
              <VersionsPanel
                tenant={tenant}
                policy={policy}
                draft={draft}
                shown={isOther ? version : undefined}
                onPut={onPut}
              />
            )}
          </div>
        </section>
      </div>
    </>
  );
}

/** Adds the tools that the address names to the draft, once. @returns why they could not be read. */
function useTakenTools(policy: PolicyView, draft: Draft): Failure | undefined {
  const { path, route } = useLocation();
  const failure = useSignal<Failure | undefined>(undefined);
  useEffect(() => {
    const names = new Set(takenNames(location.search));
    if (names.size === 0) return;
    void call<ListOf<SeenToolView>>("/admin/tools/seen").then((seen) => {
      // The next version in force starts with its own draft.
      route(path, true);
      failure.value = seen.ok ? undefined : seen.error;
      if (!seen.ok) return;
      const tools = seen.value.data.filter(({ name }) => names.has(name));
      draft.replace(textOfDocument(withTools(documentOf(draft.text.peek()) ?? policy.document, tools)));
      announce(texts.taken(tools.length));
    });
  }, []);
  return failure.value;
}

function InForce({ policy: { version, document, created_at, created_by } }: { readonly policy: PolicyView }) {
  const name = typeof document.name === "string" ? document.name : "default";
  const about = [
    version === null ? texts.builtIn(name) : texts.inForce(name, version.slice(0, 12)),
    ...(created_by ? [texts.by(created_by)] : []),
    ...(created_at ? [when(created_at)] : []),
  ];
  return <p class="lead">{about.join(" · ")}</p>;
}

interface PutBarProps extends WorkbenchProps {
  readonly draft: Draft;
  readonly check: Check;
  readonly onCompare: () => void;
}

function PutBar({ tenant, policy, draft, check, onPut, onCompare }: PutBarProps) {
  const busy = useSignal(false);
  const asks = useSignal(false);
  const failure = useSignal<Failure | undefined>(undefined);
  const text = draft.text.value;
  // The previous result belongs to another draft.
  useEffect(() => {
    asks.value = false;
  }, [text]);
  const document = documentOf(text);
  // The checked text may be older than the present one.
  const isChecked = check.state === "valid" && document !== undefined && check.text === textOfDocument(document);
  const may = isChecked && !busy.value;

  async function put(): Promise<void> {
    if (!may) return;
    busy.value = true;
    const written = await call<PolicyUpdateView>(`/admin/policies/${encodeURIComponent(tenant)}`, {
      method: "PUT",
      body: document,
      ifVersion: policy.version,
    });
    busy.value = false;
    asks.value = false;
    const raced = !written.ok && written.error.kind === "refused" && written.error.status === 412;
    failure.value = written.ok || raced ? undefined : written.error;
    if (written.ok) {
      forgetDraft(tenant);
      announce(texts.done);
    }
    // The draft stays and is compared with the version in force now.
    if (written.ok || raced) onPut();
  }

  const isChanged = check.state !== "unchanged";
  const isOutdated = draft.isOutdated && isChanged;
  return (
    <div class="put-bar">
      {asks.value && isChecked ? (
        <ConfirmPut
          changes={check.changes}
          busy={busy.value}
          onConfirm={() => void put()}
          onCancel={() => {
            asks.value = false;
          }}
        />
      ) : (
        <button
          type="button"
          class="button strong"
          aria-disabled={!may}
          onClick={() => {
            asks.value = may;
          }}
        >
          {isOutdated ? texts.putOver : texts.put}
        </button>
      )}
      <button
        type="button"
        class="button"
        onClick={() => {
          if (document) draft.replace(textOfDocument(document));
        }}
      >
        {texts.format}
      </button>
      {isChanged && (
        <button type="button" class="quiet" onClick={() => offerUndo(texts.discarded, draft.discard())}>
          {texts.discard}
        </button>
      )}
      {hasComments(text) && <p class="hint">{texts.comments}</p>}
      {draft.isKept && isChanged && !isOutdated && <p class="hint">{texts.kept}</p>}
      {isOutdated && (
        <div class="note warn" role="alert">
          <p>{texts.raced}</p>
          <button type="button" class="button" onClick={onCompare}>
            {texts.compareTheirs}
          </button>
        </div>
      )}
      {failure.value && <FailureNote failure={failure.value} />}
    </div>
  );
}
