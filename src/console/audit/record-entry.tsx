/** One record of the trail: a line, and the whole record when it is opened. */
import { useSignal } from "@preact/signals";
import type { DecisionRow, EffectName, RecordRow, TurnRow } from "../../api-views/trail-views.ts";
import { ActIcon } from "../parts/act-icon.tsx";
import { Pill } from "../parts/parts.tsx";
import { DecisionEntry } from "../sessions/decision-entry.tsx";
import { Prose } from "../shell/page-parts.tsx";
import { when } from "../texts/texts.ts";
import { argumentWords } from "../trail/argument-words.ts";
import { EffectPill, sessionLink } from "../trail/trail-parts.tsx";
import { eventWords, mainReason, reasonWords, stopWords } from "../trail/trail-texts.ts";
import { texts } from "./texts.ts";
import { addressOf, KINDS, type View, withFilter } from "./view.ts";
import { nameWords, valueWords } from "./words.ts";

/** The members that a line shows; each kind of record has some of them. */
interface Line {
  readonly tool?: string;
  readonly effect?: EffectName;
  readonly event?: string;
  readonly status?: string;
  readonly stop_reason?: string;
  readonly provider?: string;
  /** Only resets and changes have it. */
  readonly subject?: string | null;
  readonly reasons?: DecisionRow["reasons"];
  readonly arguments?: unknown;
  /** Only questions have it: the text that the user was shown. */
  readonly disclosure?: string | null;
  /** Only turns have it: the user's message, if the policy keeps it. */
  readonly detection?: TurnRow["detection"];
}

interface RecordProps {
  readonly record: RecordRow;
  /** Outcome of the turn's questions. */
  readonly outcome: string | undefined;
  /** User and role of the key that the change is about. */
  readonly owner: string | undefined;
  readonly view: View;
}

export function RecordEntry({ record, outcome, owner, view }: RecordProps) {
  const isOpen = useSignal(false);
  const { tool, effect, event, status, stop_reason, provider, subject } = record as RecordRow & Line;
  return (
    <details
      class="record"
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>
        <span class="record-name">
          {tool !== undefined && <ActIcon tool={tool} />}
          <strong class={stop_reason === undefined ? "mono" : ""}>
            {tool ?? provider ?? subjectName(subject) ?? outcome ?? stopWords(stop_reason ?? "")}
          </strong>
        </span>
        <span class="record-state">
          {effect && <EffectPill effect={effect} />}
          {event && <Pill tone="calm">{eventWords(event)}</Pill>}
          {status && <Pill tone="calm">{status}</Pill>}
        </span>
        <span class="record-why">
          <Prose text={owner ?? whyOf(record as RecordRow & Line)} />
        </span>
        <span class="record-who">{record.user}</span>
        <time dateTime={record.at}>{when(record.at)}</time>
      </summary>
      {/* Drawn on demand: most records are never opened. */}
      {isOpen.value && (
        <>
          <p class="pills">
            {record.session && (
              <a class="filter-pill" href={sessionLink(record.session, record.turn ?? record.id)}>
                {texts.session}
              </a>
            )}
            {isPolicyChange(event) && subject && (
              <a class="filter-pill" href={`/console/policy?${new URLSearchParams({ version: subject })}`}>
                {texts.version}
              </a>
            )}
            {filtersOf(record, view).map(([name, value]) => (
              <a key={name} class="filter-pill" href={addressOf(withFilter(view, name, value))}>
                {nameWords(name)}: {valueWords(name, value)}
              </a>
            ))}
          </p>
          {isDecision(record) && <DecisionEntry decision={record} events={[]} run={undefined} />}
          <details class="whole-record" open={!isDecision(record)}>
            <summary>{texts.whole}</summary>
            <pre class="json">{JSON.stringify(record, null, 2)}</pre>
          </details>
        </>
      )}
    </details>
  );
}

/** Shortens a digest to 12 digits, as versions are shown. */
const subjectName = (subject: string | null | undefined): string | undefined =>
  subject == null ? undefined : subject.replace(/^([0-9a-f]{12})[0-9a-f]{52}$/, "$1");

const isPolicyChange = (event: string | undefined): boolean => event === "policy_put" || event === "policy_rolled_back";

const isDecision = (record: RecordRow): record is DecisionRow => record.object === "audit.decision";

/** Main reason (in the policy's words, if it has some) and arguments of a call; a turn's user message; a question's first line. */
function whyOf({ reasons = [], arguments: args, detection, disclosure }: Line): string {
  const code = mainReason(reasons);
  const said = reasons.find((one) => one.code === code)?.say?.join("; ");
  const reason = said ?? (code === undefined ? "" : reasonWords(code));
  const words = detection?.words?.map(({ text }) => text).join("") ?? "";
  return [reason, argumentWords(args), words, disclosure?.split("\n")[0]].filter(Boolean).join(" · ");
}

/** Filters that match this record and are not set yet. */
function filtersOf(record: RecordRow, { kind, filters }: View): readonly (readonly [string, string])[] {
  const names: readonly string[] = KINDS[kind];
  const values: Readonly<Record<string, unknown>> = { ...record };
  return names.flatMap((name) => {
    const value = values[name];
    const isNew = typeof value === "string" && !filters.some(([one]) => one === name);
    return isNew ? [[name, value] as const] : [];
  });
}
