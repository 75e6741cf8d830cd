/** The button that verifies the chains of all users with records, one after another; it shows when that was last done on this device. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ListOf } from "../../api-views/approval-views.ts";
import { call, type Failure } from "../api/call.ts";
import { Ago } from "../parts/parts.tsx";
import { FailureNote } from "../shell/page-parts.tsx";
import { keepCheck, lastCheck } from "./last-check.ts";
import { SealButton, SealWords } from "./seal-check.tsx";
import { sealTexts as texts } from "./seal-texts.ts";
import { type Seal, verifyChain } from "./verify-chain.ts";

interface Progress {
  readonly done: number;
  readonly of: number;
}

interface Fault {
  readonly user: string;
  readonly seal: Seal;
}

export function VerifyAll() {
  const progress = useSignal<Progress | undefined>(undefined);
  const faults = useSignal<readonly Fault[]>([]);
  const failure = useSignal<Failure | undefined>(undefined);
  const isAway = useRef(false);
  useEffect(
    () => () => {
      isAway.current = true;
    },
    [],
  );
  const last = lastCheck();

  async function verify(): Promise<void> {
    if (progress.value) return;
    progress.value = { done: 0, of: 0 };
    faults.value = [];
    failure.value = undefined;
    const users = await everybody();
    if ("kind" in users) failure.value = users;
    else {
      for (const [done, user] of users.entries()) {
        if (isAway.current) return;
        progress.value = { done, of: users.length };
        const seal = await verifyChain(user);
        if (seal.state === "broken" || seal.state === "failed") faults.value = [...faults.value, { user, seal }];
      }
      const broken = faults.value.filter(({ seal }) => seal.state === "broken").length;
      // Not stored if a chain could not be checked: then not all were verified.
      if (broken === faults.value.length) keepCheck({ at: new Date().toISOString(), users: users.length, broken });
    }
    progress.value = undefined;
  }

  return (
    <div class="seal">
      <SealButton label={texts.all} isBusy={progress.value !== undefined} onPress={verify} />
      <span role="status">
        {progress.value
          ? texts.progress(progress.value.done, progress.value.of)
          : last && (
              <span class={last.broken > 0 ? "grave-text" : ""}>
                {texts.last(last.users, last.broken)} <Ago at={last.at} />
              </span>
            )}
      </span>
      {failure.value && <FailureNote failure={failure.value} />}
      {faults.value.length > 0 && (
        <ul class="plain-list faults">
          {faults.value.map(({ user, seal }) => (
            <li key={user}>
              <strong>{user}</strong> <SealWords of={seal} user={user} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

async function everybody(): Promise<readonly string[] | Failure> {
  const users: string[] = [];
  for (;;) {
    const last = users.at(-1);
    const after = last === undefined ? "" : `&after=${encodeURIComponent(last)}`;
    const page = await call<ListOf<{ readonly id: string }>>(`/v1/audit/chains?limit=100${after}`);
    if (!page.ok) return page.error;
    users.push(...page.value.data.map(({ id }) => id));
    if (!page.value.has_more) return users;
  }
}
