/** What runs without asking: grants and opened gates, each to be withdrawn. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { GateView, GrantView, ListOf } from "../api/approval.ts";
import { call } from "../api/call.ts";
import type { Failure } from "../api/failure.ts";
import { FailureNote } from "../shell/failure-note.tsx";
import { PageHeading } from "../shell/page-heading.tsx";
import { texts } from "../texts/texts.ts";
import { when } from "../texts/times.ts";
import { AllowedList } from "./allowed-list.tsx";

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
          text: gate.destination ?? "",
          about: `${gate.session_id === null ? words.everySession : words.thisSession} · ${words.since(when(gate.opened_at))}`,
          path: `/v1/gates/${encodeURIComponent(gate.tool)}`,
        }))}
      />
    </>
  );
}
