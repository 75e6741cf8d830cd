/** Page of the calls that run without asking: grants and opened gates, each with a button that withdraws it. */
import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import type { GateView, GrantView, ListOf } from "../../api-views/approval-views.ts";
import { codeSpan } from "../../lib/text/prose.ts";
import { call, type Failure } from "../api/call.ts";
import { announce } from "../shell/announcer.tsx";
import { FailureNote, PageHeading, Prose } from "../shell/page-parts.tsx";
import { texts, when } from "../texts/texts.ts";

export function AllowedPage() {
  const grants = useSignal<readonly GrantView[] | undefined>(undefined);
  const gates = useSignal<readonly GateView[] | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);
  const words = texts.allowed;

  async function load(): Promise<void> {
    const [given, opened] = await Promise.all([
      call<ListOf<GrantView>>("/v1/grants"),
      call<ListOf<GateView>>("/v1/gates"),
    ]);
    if (given.ok) grants.value = given.value.data;
    if (opened.ok) gates.value = opened.value.data;
    failure.value = given.ok ? (opened.ok ? undefined : opened.error) : given.error;
  }
  useEffect(() => void load(), []);

  return (
    <>
      <PageHeading>{words.title}</PageHeading>
      <p class="lead">{words.lead}</p>
      {failure.value && <FailureNote failure={failure.value} />}
      <AllowedList
        title={words.grants}
        none={words.noGrants}
        onGone={load}
        items={grants.value?.map((grant) => ({
          key: grant.id,
          tool: grant.tool,
          text: grant.text,
          about: "",
          path: `/v1/grants/${encodeURIComponent(grant.id)}`,
        }))}
      />
      <AllowedList
        title={words.gates}
        none={words.noGates}
        onGone={load}
        items={gates.value?.map((gate) => ({
          key: `${gate.tool} ${gate.session_id ?? ""}`,
          tool: gate.tool,
          text: gateText(gate),
          about: `${gate.session_id === null ? words.everySession : words.thisSession} · ${words.since(when(gate.opened_at))}`,
          path: `/v1/gates/${encodeURIComponent(gate.tool)}`,
        }))}
      />
    </>
  );
}

/** Models wrote the values: they are shown as code, on one line. */
function gateText({ destination, goes_to: places }: GateView): string {
  const values = (places ?? []).flatMap((one) => Object.values(one).flat());
  const only = values.length === 0 ? [] : [texts.allowed.onlyTo(values.map((one) => codeSpan(one)).join(", "))];
  return [...(destination ? [destination] : []), ...only].join(" · ");
}

interface AllowedItem {
  readonly key: string;
  readonly tool: string;
  readonly text: string;
  readonly about: string;
  /** A DELETE of this path ends it. */
  readonly path: string;
}

interface AllowedListProps {
  readonly title: string;
  readonly none: string;
  /** Undefined until loaded. */
  readonly items: readonly AllowedItem[] | undefined;
  readonly onGone: () => Promise<void>;
}

function AllowedList({ title, none, items, onGone }: AllowedListProps) {
  const failure = useSignal<Failure | undefined>(undefined);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  const words = texts.allowed;
  async function withdraw({ path, tool }: AllowedItem): Promise<void> {
    const gone = await call(path, { method: "DELETE" });
    // Not found: it is withdrawn already.
    const done = gone.ok || (gone.error.kind === "refused" && gone.error.status === 404);
    failure.value = gone.ok || done ? undefined : gone.error;
    if (!done) return;
    announce(words.withdrawn(tool));
    await onGone();
    heading.current?.focus();
  }
  return (
    <section aria-labelledby={id} class="allowed">
      <h2 id={id} tabIndex={-1} ref={heading}>
        {title}
      </h2>
      {failure.value && <FailureNote failure={failure.value} />}
      {items?.length === 0 && <p class="hint">{none}</p>}
      <ul class="rows">
        {items?.map((item) => (
          <li key={item.key} class="row">
            <p class="outcome">
              <span class="mono">{item.tool}</span>
            </p>
            {item.text !== "" && (
              <p>
                <Prose text={item.text} />
              </p>
            )}
            {item.about !== "" && <p class="hint">{item.about}</p>}
            <button
              type="button"
              class="quiet small"
              aria-label={words.withdrawTool(item.tool)}
              onClick={() => void withdraw(item)}
            >
              {words.withdraw}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
