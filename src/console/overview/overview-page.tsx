/** The operators' overview of a time span: figures, each with a link to its list, and refused calls. */

import { useMemo } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { ListOf } from "../../api-views/approval-views.ts";
import type { DecisionRow, SummaryView } from "../../api-views/trail-views.ts";
import { HOUR_MS } from "../../lib/time.ts";
import { Ago, Empty, Figure, Pill, Table } from "../parts/parts.tsx";
import { useApi } from "../parts/use-api.ts";
import { lazyPage } from "../shell/lazy-page.tsx";
import { FailureNote, PageHeading, SkeletonRows } from "../shell/page-parts.tsx";
import { duration, number, percent, when } from "../texts/texts.ts";
import { lastCheck } from "../trail/last-check.ts";
import { sealTexts } from "../trail/seal-texts.ts";
import { sessionLink } from "../trail/trail-parts.tsx";
import { mainReason, reasonWords } from "../trail/trail-texts.ts";
import { FirstSteps } from "./first-steps.tsx";
import { texts } from "./texts.ts";

// Loaded late: the page is shown before the chart's library has arrived.
const CallChart = lazyPage(() => import("./call-chart.tsx").then(({ CallChart }) => CallChart));

const RANGES = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 168 * HOUR_MS, month: 720 * HOUR_MS } as const;
type Range = keyof typeof RANGES;

const isRange = (name: string | undefined): name is Range => name !== undefined && Object.hasOwn(RANGES, name);

export function OverviewPage() {
  const { query } = useLocation();
  const range = isRange(query.range) ? query.range : "week";
  // Fixed when the page is opened: otherwise each drawing would send a new request.
  const from = useMemo(() => new Date(Date.now() - RANGES[range]).toISOString(), [range]);
  const { value, failure, reload } = useApi<SummaryView>(`/v1/audit/summary?from=${from}`);
  const summary = value.value;
  return (
    <>
      <div class="page-head">
        <PageHeading>{texts.title}</PageHeading>
        <RangeLinks chosen={range} />
      </div>
      <FirstSteps />
      {failure.value && <FailureNote failure={failure.value} retry={reload} />}
      {!summary && !failure.value && <SkeletonRows />}
      {summary && (summary.turns === 0 ? <Nothing /> : <Summary summary={summary} />)}
    </>
  );
}

const RangeLinks = ({ chosen }: { readonly chosen: Range }) => (
  <nav class="segments" aria-label={texts.rangeLabel}>
    {(Object.keys(RANGES) as Range[]).map((range) => (
      <a key={range} href={`/console/overview?range=${range}`} aria-current={range === chosen ? "true" : undefined}>
        {texts.range[range]}
      </a>
    ))}
  </nav>
);

const Nothing = () => (
  <Empty title={texts.none}>
    <p>{texts.noneNote}</p>
  </Empty>
);

function Summary({ summary }: { readonly summary: SummaryView }) {
  const { from } = summary;
  return (
    <>
      <Figures summary={summary} />
      <section class="panel-box padded">
        <h2>{texts.chart}</h2>
        <div class="chart-place">
          <CallChart summary={summary} />
        </div>
      </section>
      <div class="halves">
        <section>
          <h2>{texts.mostRefused}</h2>
          <MostRefused summary={summary} />
        </section>
        <section>
          <h2>{texts.lastRefused}</h2>
          <LastRefused from={from} />
        </section>
      </div>
      {summary.cut && <p class="hint">{texts.cut}</p>}
    </>
  );
}

const decisions = (from: string, effect: string) =>
  `/console/audit?kind=decisions&effect=${effect}&from=${encodeURIComponent(from)}`;

function Figures({ summary }: { readonly summary: SummaryView }) {
  const { from, effects, approvals, answer_ms: answer, tasks, tokens_saved: saved } = summary;
  const health = useApi<{ readonly audit: string }>("/health").value.value;
  const all = effects.allow + effects.confirm + effects.deny;
  const share = (calls: number) => texts.share(percent(calls / Math.max(1, all)));
  const { asked = 0, approved = 0, edited = 0, denied = 0 } = approvals;
  const byPerson = summary.denied_by_person;
  return (
    <div class="figures">
      <Figure
        name={texts.turns}
        value={number(summary.turns)}
        note={texts.people(summary.users, summary.sessions)}
        href="/console/sessions"
      />
      <Figure
        name={texts.allowed}
        value={number(effects.allow)}
        note={share(effects.allow)}
        tone="go"
        href={decisions(from, "allow")}
      />
      <Figure
        name={texts.asked}
        value={number(asked)}
        note={texts.answered(approved + edited, denied)}
        tone="wait"
        href={`/console/audit?kind=approvals&event=asked&from=${encodeURIComponent(from)}`}
      />
      <Figure
        name={texts.refused}
        value={number(effects.deny)}
        note={texts.refusedBy(effects.deny - byPerson, byPerson)}
        tone="grave"
        href={decisions(from, "deny")}
      />
      <Figure
        name={texts.perTask}
        value={number(Math.round((100 * asked) / Math.max(1, tasks)) / 100)}
        note={texts.tasks(tasks)}
        href={`/console/audit?kind=approvals&from=${encodeURIComponent(from)}`}
      />
      <Figure
        name={texts.answerTime}
        value={answer ? duration(answer.median) : "–"}
        note={answer ? texts.nineOfTen(duration(answer.p90)) : texts.nobody}
        href={`/console/audit?kind=approvals&from=${encodeURIComponent(from)}`}
      />
      <Figure
        name={saved < 0 ? texts.added : texts.saved}
        value={number(Math.abs(saved))}
        note={saved < 0 ? texts.addedNote : texts.savedNote}
        href={`/console/audit?kind=turns&from=${encodeURIComponent(from)}`}
      />
      {health && <TrailFigure isDelivered={health.audit === "ok"} />}
    </div>
  );
}

function TrailFigure({ isDelivered }: { readonly isDelivered: boolean }) {
  const last = lastCheck();
  const isBroken = (last?.broken ?? 0) > 0;
  const state = isDelivered ? texts.trailOk : texts.trailNot;
  return (
    <Figure
      name={texts.trail}
      value={isBroken ? sealTexts.notWhole : state}
      note={last ? `${sealTexts.last(last.users, last.broken)} ${when(last.at)}` : texts.trailNote}
      href="/console/settings"
      tone={isDelivered && !isBroken ? "calm" : "grave"}
    />
  );
}

function MostRefused({ summary: { refused, from } }: { readonly summary: SummaryView }) {
  if (refused.length === 0) return <p class="lead">{texts.noneRefused}</p>;
  return (
    <Table heads={[texts.tool, texts.why, [texts.calls, "number"]]}>
      {refused.map(({ tool, reason, calls }) => (
        <tr key={`${tool} ${reason}`}>
          <td>
            <a
              class="mono row-link"
              href={`${decisions(from, "deny")}&tool=${encodeURIComponent(tool)}&reason=${encodeURIComponent(reason)}`}
            >
              {tool}
            </a>
          </td>
          <td>{reasonWords(reason)}</td>
          <td class="number">{number(calls)}</td>
        </tr>
      ))}
    </Table>
  );
}

function LastRefused({ from }: { readonly from: string }) {
  const path = `/v1/audit/decisions?effect=deny&limit=8&from=${from}`;
  const { value, failure, reload } = useApi<ListOf<DecisionRow>>(path);
  if (failure.value) return <FailureNote failure={failure.value} retry={reload} />;
  if (!value.value) return <SkeletonRows />;
  const { data } = value.value;
  if (data.length === 0) return <p class="lead">{texts.noneRefused}</p>;
  return (
    <Table heads={[texts.tool, texts.why, [texts.who, "wide-only"], texts.when]}>
      {data.map(({ id, tool, reasons, user, at, session, turn }) => (
        <tr key={id}>
          <td>
            <a class="mono row-link" href={sessionLink(session ?? "", turn)} title={texts.look}>
              {tool}
            </a>
          </td>
          <td>
            <Pill tone="grave">{reasonWords(mainReason(reasons) ?? "")}</Pill>
          </td>
          <td class="wide-only">{user}</td>
          <td class="nowrap">
            <Ago at={at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
