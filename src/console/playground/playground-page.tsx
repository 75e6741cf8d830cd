/** The playground: a conversation through the gateway, and beside it the offered tools, refusals and questions of each turn. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Message, Note } from "../../api-views/chat-views.ts";
import type { PolicyView } from "../../api-views/policy-views.ts";
import type { Failure } from "../api/call.ts";
import { keepCases } from "../parts/kept-cases.ts";
import { rolesOf } from "../parts/roles.ts";
import { useApi } from "../parts/use-api.ts";
import { FailureNote, PageHeading, SkeletonRows } from "../shell/page-parts.tsx";
import { me } from "../sign-in/me.ts";
import { endActing } from "./acting-key.ts";
import { caseOf, openingsOf, type Settings, send } from "./chat.ts";
import { Question } from "./question.tsx";
import { type Choices, SettingsForm } from "./settings-form.tsx";
import { texts } from "./texts.ts";
import { Transcript } from "./transcript.tsx";
import { TurnAside } from "./turn-aside.tsx";

const newSession = (): string => `playground-${crypto.randomUUID()}`;

export function PlaygroundPage() {
  const tenant = useSignal(me.peek()?.tenant ?? "");
  const policy = useApi<PolicyView>(`/admin/policies/${encodeURIComponent(tenant.value)}`);
  const models = useApi<{ readonly data: readonly { readonly id: string }[] }>("/v1/models");
  const document = policy.value.value?.document ?? {};
  const tools = Object.keys((document.tools ?? {}) as object).filter((name) => !/[*:]/.test(name));
  const isReady = [policy, models].every(({ value, failure }) => value.value ?? failure.value);
  useEffect(() => endActing, []);
  return (
    <>
      <PageHeading>{texts.title}</PageHeading>
      <p class="lead">{texts.lead}</p>
      {policy.failure.value && <FailureNote failure={policy.failure.value} />}
      {/* Waits for the policy, whose tools are the first ones: text typed earlier would be lost. */}
      {isReady ? (
        <Conversation
          key={`${tenant.value} ${policy.value.value?.version} ${models.value.value?.data[0]?.id}`}
          tenant={tenant.value}
          onTenant={(name) => {
            tenant.value = name;
          }}
          tools={tools.slice(0, 12).join(" ")}
          openings={openingsOf(document)}
          model={models.value.value?.data[0]?.id ?? "demo"}
          roles={rolesOf(document)}
          modes={Object.keys((document.modes ?? {}) as object)}
        />
      ) : (
        <SkeletonRows />
      )}
    </>
  );
}

interface ConversationProps extends Choices {
  /** Suggestions for the first message. */
  readonly openings: readonly string[];
  readonly tenant: string;
  readonly tools: string;
  readonly model: string;
}

function Conversation({ tenant, tools, openings, model, ...choices }: ConversationProps) {
  const settings = useSignal<Settings>({ session: newSession(), tenant, user: "", role: "", mode: "", model, tools });
  const messages = useSignal<readonly Message[]>([]);
  const note = useSignal<Note | undefined>(undefined);
  /** The reply's summary of the first message, which a case is made from. */
  const begun = useSignal<Note | undefined>(undefined);
  const busy = useSignal(false);
  /** The settings are closed during the conversation, which needs the space. */
  const isOpen = useSignal(false);
  const failure = useSignal<Failure | undefined>(undefined);

  /** @param answered answers to questions about the messages sent before. */
  async function go(next: readonly Message[], answered?: Parameters<typeof send>[2]): Promise<void> {
    messages.value = next;
    isOpen.value = false;
    busy.value = true;
    const reply = await send(settings.value, next, answered);
    busy.value = false;
    failure.value = reply.ok ? undefined : reply.error;
    if (!reply.ok) return;
    note.value = reply.value.toolgate;
    begun.value ??= reply.value.toolgate;
    // The waiting messages are sent again with the answer: they have no reply yet.
    if (!reply.value.toolgate?.approvals?.length) messages.value = [...next, reply.value.choices[0].message];
  }

  const waiting = note.value?.approvals ?? [];
  const first = messages.value.find(({ role }) => role === "user");
  function begin(next: Settings): void {
    settings.value = { ...next, session: newSession() };
    messages.value = [];
    note.value = undefined;
    begun.value = undefined;
    failure.value = undefined;
  }
  return (
    <div class="workbench chat">
      <section class="panel-box">
        <SettingsForm
          settings={settings.value}
          isOpen={isOpen}
          {...choices}
          onChange={(next) => {
            settings.value = next;
          }}
          onFresh={begin}
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
        <SayForm
          isBusy={busy.value}
          openings={messages.value.length === 0 ? openings : []}
          onSay={(content) => void go([...messages.value, { role: "user", content }])}
        />
      </section>
      <aside class="panel-box padded" aria-label={texts.aside}>
        {note.value ? (
          <TurnAside note={note.value} isOwnTenant={tenant === me.value?.tenant} />
        ) : (
          <p class="lead">{texts.empty}</p>
        )}
        {begun.value && typeof first?.content === "string" && (
          <SaveCase key={begun.value.turn_id} file={caseOf(settings.value, first.content, begun.value)} />
        )}
      </aside>
    </div>
  );
}

/** Saves a case as a file, or on this device for the policy page. */
function SaveCase({ file }: { readonly file: string }) {
  const isKept = useSignal(false);
  return (
    <div class="buttons">
      <a class="button" download="toolgate.cases.json" href={`data:application/json,${encodeURIComponent(file)}`}>
        {texts.saveCase}
      </a>
      {isKept.value ? (
        <a class="row-link" href="/console/policy">
          {texts.runCases}
        </a>
      ) : (
        <button
          type="button"
          class="quiet"
          onClick={() => {
            keepCases(file);
            isKept.value = true;
          }}
        >
          {texts.keepCase}
        </button>
      )}
    </div>
  );
}

interface SayFormProps {
  readonly isBusy: boolean;
  readonly openings: readonly string[];
  readonly onSay: (text: string) => void;
}

function SayForm({ isBusy, openings, onSay }: SayFormProps) {
  const field = useRef<HTMLInputElement>(null);
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
      {openings.length > 0 && (
        <p class="pills openings">
          <span class="hint">{texts.openings}</span>
          {openings.map((text) => (
            <button
              key={text}
              type="button"
              class="filter-pill"
              onClick={() => {
                if (!field.current) return;
                field.current.value = `${text} `;
                field.current.focus();
              }}
            >
              {text}
            </button>
          ))}
        </p>
      )}
      <input ref={field} id="say" name="text" autocomplete="off" placeholder={texts.say} />
      <button type="submit" class="button strong" aria-disabled={isBusy}>
        {isBusy ? texts.sending : texts.send}
      </button>
    </form>
  );
}
