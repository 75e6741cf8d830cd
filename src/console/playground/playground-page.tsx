/** A conversation through the gateway to try it, and beside it what each turn was offered, refused and asked about. */
import { useSignal } from "@preact/signals";
import type { Failure } from "../api/call.ts";
import type { PolicyView } from "../api/policy-views.ts";
import { useApi } from "../parts/use-api.ts";
import { FailureNote, PageHeading } from "../shell/page-parts.tsx";
import { me } from "../sign-in/me.ts";
import { caseOf, type Message, type Note, readTools, type Settings, send } from "./chat.ts";
import { Question } from "./question.tsx";
import { texts } from "./texts.ts";
import { Transcript } from "./transcript.tsx";
import { TurnAside } from "./turn-aside.tsx";

const newSession = (): string => `playground-${crypto.randomUUID()}`;

export function PlaygroundPage() {
  const tenant = me.value?.tenant ?? "";
  const policy = useApi<PolicyView>(`/admin/policies/${encodeURIComponent(tenant)}`);
  const models = useApi<{ readonly data: readonly { readonly id: string }[] }>("/v1/models");
  const tools = Object.keys((policy.value.value?.document.tools ?? {}) as object).filter((name) => !/[*:]/.test(name));
  return (
    <>
      <PageHeading>{texts.title}</PageHeading>
      <p class="lead">{texts.lead}</p>
      {/* Its first tools are those of the policy, which must be there. */}
      <Conversation
        key={`${policy.value.value?.version} ${models.value.value?.data[0]?.id}`}
        tools={tools.slice(0, 12).join(" ")}
        model={models.value.value?.data[0]?.id ?? "demo"}
      />
    </>
  );
}

function Conversation({ tools, model }: { readonly tools: string; readonly model: string }) {
  const settings = useSignal<Settings>({ session: newSession(), mode: "", model, tools });
  const messages = useSignal<readonly Message[]>([]);
  const note = useSignal<Note | undefined>(undefined);
  /** Of the first message: what a case expects. */
  const begun = useSignal<Note | undefined>(undefined);
  const busy = useSignal(false);
  const failure = useSignal<Failure | undefined>(undefined);

  /** @param answered to questions about the messages that were sent before. */
  async function go(next: readonly Message[], answered?: Parameters<typeof send>[2]): Promise<void> {
    messages.value = next;
    busy.value = true;
    const reply = await send(settings.value, next, answered);
    busy.value = false;
    failure.value = reply.ok ? undefined : reply.error;
    if (!reply.ok) return;
    note.value = reply.value.toolgate;
    begun.value ??= reply.value.toolgate;
    // What waits is sent again with the answer: there is no reply yet.
    if (!reply.value.toolgate?.approvals?.length) messages.value = [...next, reply.value.choices[0].message];
  }

  const waiting = note.value?.approvals ?? [];
  const first = messages.value.find(({ role }) => role === "user");
  return (
    <div class="workbench">
      <section class="panel-box">
        <SettingsForm
          settings={settings.value}
          onChange={(next) => {
            settings.value = next;
          }}
          onFresh={() => {
            settings.value = { ...settings.value, session: newSession() };
            messages.value = [];
            note.value = undefined;
            begun.value = undefined;
            failure.value = undefined;
          }}
        />
        <Transcript messages={messages.value} onResult={(result) => void go([...messages.value, result])} />
        {waiting[0] && (
          <Question
            approval={waiting[0]}
            onAnswer={(action) => {
              const answered = waiting.map(({ id }) => ({ id, action }));
              note.value = undefined;
              void go(messages.value, answered);
            }}
          />
        )}
        {failure.value && <FailureNote failure={failure.value} />}
        <SayForm isBusy={busy.value} onSay={(content) => void go([...messages.value, { role: "user", content }])} />
      </section>
      <aside class="panel-box padded" aria-label={texts.aside}>
        {note.value ? <TurnAside note={note.value} /> : <p class="lead">{texts.empty}</p>}
        {begun.value && typeof first?.content === "string" && (
          <a
            class="button"
            download="toolgate.cases.json"
            href={`data:application/json,${encodeURIComponent(
              caseOf(settings.value, me.value?.role ?? "", first.content, begun.value),
            )}`}
          >
            {texts.saveCase}
          </a>
        )}
        <p class="hint">
          <a class="row-link" href="/console/policy">
            {texts.others}
          </a>
        </p>
      </aside>
    </div>
  );
}

interface SettingsFormProps {
  readonly settings: Settings;
  readonly onChange: (settings: Settings) => void;
  readonly onFresh: () => void;
}

function SettingsForm({ settings, onChange, onFresh }: SettingsFormProps) {
  const isWrong = readTools(settings.tools) === undefined;
  return (
    <details class="padded" open>
      <summary>{texts.settings}</summary>
      <div class="stacked">
        <div class="pair">
          <label>
            {texts.model}
            <input
              value={settings.model}
              onInput={({ currentTarget }) => onChange({ ...settings, model: currentTarget.value })}
            />
          </label>
          <label>
            {texts.mode}
            <input
              value={settings.mode}
              onInput={({ currentTarget }) => onChange({ ...settings, mode: currentTarget.value.trim() })}
            />
          </label>
        </div>
        <label>
          {texts.tools}
          <textarea
            rows={3}
            class="mono"
            value={settings.tools}
            aria-invalid={isWrong}
            onInput={({ currentTarget }) => onChange({ ...settings, tools: currentTarget.value })}
          />
        </label>
        {isWrong && <p class="note warn">{texts.badTools}</p>}
        <button type="button" class="button" onClick={onFresh}>
          {texts.fresh}
        </button>
      </div>
    </details>
  );
}

function SayForm({ isBusy, onSay }: { readonly isBusy: boolean; readonly onSay: (text: string) => void }) {
  return (
    <form
      class="put-bar say"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const text = String(new FormData(form).get("text") ?? "").trim();
        if (isBusy || text === "") return;
        form.reset();
        onSay(text);
      }}
    >
      <label class="visually-hidden" for="say">
        {texts.say}
      </label>
      <input id="say" name="text" autocomplete="off" placeholder={texts.say} />
      <button type="submit" class="button strong" aria-disabled={isBusy}>
        {isBusy ? texts.sending : texts.send}
      </button>
    </form>
  );
}
