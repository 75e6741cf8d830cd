/** The page of the audit trail: kinds of records, filters, live updates, and exports of the records found. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { ListOf } from "../../api-views/approval-views.ts";
import type { RecordRow } from "../../api-views/trail-views.ts";
import { Empty } from "../parts/parts.tsx";
import { useApi, usePages } from "../parts/use-api.ts";
import { ListEnd, PageHeading } from "../shell/page-parts.tsx";
import { AWAITING, questionOutcome, useQuestionEvents } from "../trail/question-outcome.ts";
import { trailTexts } from "../trail/trail-texts.ts";
import { VerifyAll } from "../trail/verify-all.tsx";
import { ExportButtons } from "./export-buttons.tsx";
import { Filters } from "./filters.tsx";
import { RecordEntry } from "./record-entry.tsx";
import { SavedViews } from "./saved-views.tsx";
import { texts } from "./texts.ts";
import { addressOf, KINDS, type Kind, pathOf, readView } from "./view.ts";

const LIVE_MS = 3_000;

interface KeyRow {
  readonly id: string;
  readonly user: string;
  readonly role: string;
}

export function AuditPage() {
  const { query } = useLocation();
  const view = readView(query);
  const path = pathOf(view, 50);
  const list = usePages<RecordRow>(path);
  const { rows, loadNewer } = list;
  const live = useSignal(false);
  useEffect(() => {
    if (!live.value) return;
    const timer = setInterval(() => void loadNewer(), LIVE_MS);
    return () => clearInterval(timer);
  }, [live.value, path]);
  const records = rows.value;
  const asks = (one: RecordRow) => "stop_reason" in one && one.stop_reason === AWAITING;
  const user = view.filters.find(([name]) => name === "user")?.[1] ?? "";
  const events = useQuestionEvents(user, view.kind === "turns" && records?.some(asks) === true);
  const outcomeOf = (one: RecordRow): string | undefined =>
    asks(one) ? (questionOutcome(events.filter(({ turn }) => turn === one.id)) ?? trailTexts.asked) : undefined;
  const keys = useApi<ListOf<KeyRow>>(view.kind === "changes" ? "/admin/keys?limit=100&order=desc" : undefined).value
    .value;
  /** User and role of the key that a change is about, if that key is still listed. */
  const keyOwner = (one: RecordRow): string | undefined => {
    const key = keys?.data.find(({ id }) => "subject" in one && one.subject === id);
    return key && `${key.user} (${key.role})`;
  };
  return (
    <>
      <div class="page-head">
        <PageHeading>{texts.title}</PageHeading>
        <ExportButtons view={view} />
      </div>
      <VerifyAll />
      <nav class="segments scrolls" aria-label={texts.kindLabel}>
        {(Object.keys(KINDS) as Kind[]).map((kind) => (
          <a
            key={kind}
            href={addressOf({ kind, filters: view.filters.filter(([name]) => name !== "event" && name !== "status") })}
            aria-current={kind === view.kind ? "true" : undefined}
          >
            {texts.kinds[kind]}
          </a>
        ))}
      </nav>
      <div class="audit-tools">
        {/* Keyed: each kind has its own filters. */}
        <Filters key={view.kind} view={view} />
        <SavedViews view={view} />
        <button
          type="button"
          class="filter-pill"
          aria-pressed={live.value}
          onClick={() => {
            live.value = !live.value;
          }}
        >
          <span class={`dot ${live.value ? "on" : ""}`} aria-hidden="true" />
          {texts.live}
        </button>
        {live.value ? (
          <span class="hint">{texts.liveOn}</span>
        ) : (
          <button type="button" class="filter-pill" onClick={() => void loadNewer()}>
            {texts.newer}
          </button>
        )}
      </div>
      {records?.length === 0 && (
        <Empty title={texts.none}>
          <p>{texts.noneNote}</p>
        </Empty>
      )}
      {records && records.length > 0 && (
        <div class="panel-box records">
          {records.map((record) => (
            <RecordEntry
              key={record.id}
              record={record}
              outcome={outcomeOf(record)}
              owner={keyOwner(record)}
              view={view}
            />
          ))}
        </div>
      )}
      <ListEnd list={list} more={texts.more} />
    </>
  );
}
