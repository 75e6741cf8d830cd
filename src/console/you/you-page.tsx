/** The page of the signed-in user, and the settings of this browser. */
import { useSignal } from "@preact/signals";
import { notifies, setNotifies } from "../inbox/notifications.ts";
import { PageHeading } from "../shell/page-parts.tsx";
import { credential, signOut } from "../sign-in/credential.ts";
import { me } from "../sign-in/me.ts";
import { texts } from "../texts/texts.ts";

export function YouPage() {
  const words = texts.you;
  const who = me.value;
  if (!who) return null;
  const facts = [
    [words.user, who.user],
    [words.role, who.role],
    [words.tenant, who.tenant],
  ] as const;
  return (
    <>
      <PageHeading>{words.title}</PageHeading>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Notifications />
      <section class="setting">
        <p class="hint">{credential.value?.persistent ? words.keptHere : words.keptTab}</p>
        <button type="button" class="button" onClick={() => signOut("left")}>
          {words.signOut}
        </button>
      </section>
    </>
  );
}

function Notifications() {
  const words = texts.you;
  const blocked = useSignal(false);
  return (
    <section class="setting">
      <label class="check">
        <input
          type="checkbox"
          checked={notifies.value}
          onChange={async (event) => {
            blocked.value = !(await setNotifies(event.currentTarget.checked));
          }}
          aria-describedby="notify-hint"
        />
        <span>{words.notifications}</span>
      </label>
      <p class="hint" id="notify-hint">
        {words.notificationsNote}
      </p>
      {blocked.value && (
        <p class="note warn" role="alert">
          {words.notificationsBlocked}
        </p>
      )}
    </section>
  );
}
