/** The button that verifies the chain of one user's records, and its result. */
import { useSignal } from "@preact/signals";
import { Icon } from "../shell/icon.tsx";
import { FailureNote } from "../shell/page-parts.tsx";
import { sealTexts as texts } from "./seal-texts.ts";
import { sessionLink } from "./trail-parts.tsx";
import { type Seal, verifyChain } from "./verify-chain.ts";

export function SealCheck({ user }: { readonly user: string }) {
  const seal = useSignal<Seal | "checking" | undefined>(undefined);
  const shown = seal.value;
  return (
    <div class="seal">
      <SealButton
        label={texts.check}
        isBusy={shown === "checking"}
        onPress={async () => {
          if (seal.value === "checking") return;
          seal.value = "checking";
          seal.value = await verifyChain(user);
        }}
      />
      <span role="status">
        {shown === "checking" && texts.checking}
        {shown !== undefined && shown !== "checking" && <SealWords of={shown} user={user} />}
      </span>
    </div>
  );
}

interface SealButtonProps {
  readonly label: string;
  readonly isBusy: boolean;
  readonly onPress: () => Promise<void>;
}

export const SealButton = ({ label, isBusy, onPress }: SealButtonProps) => (
  <button type="button" class="button" title={texts.note} aria-disabled={isBusy} onClick={() => void onPress()}>
    <Icon name="seal" />
    {label}
  </button>
);

export function SealWords({ of, user }: { readonly of: Seal; readonly user: string }) {
  switch (of.state) {
    case "empty":
      return <>{texts.empty}</>;
    case "failed":
      return <FailureNote failure={of.failure} />;
    case "whole":
      return <>{`${texts.whole(of.from, of.to)}${of.waiting > 0 ? ` ${texts.waiting(of.waiting)}` : ""}`}</>;
    case "broken":
      return (
        <>
          <strong class="grave-text">{`${texts.broken} ${of.message ?? texts.checkpoint}`}</strong>{" "}
          {of.record && (
            <a class="row-link" href={recordLink(user, of.record)}>
              {texts.record}
            </a>
          )}
        </>
      );
  }
}

/** A record without a session is linked in the list of the user's records. */
function recordLink(
  user: string,
  { kind, session, turn }: NonNullable<Extract<Seal, { state: "broken" }>["record"]>,
): string {
  return session === null
    ? `/console/audit?${new URLSearchParams({ kind: `${kind}s`, user })}`
    : sessionLink(session, turn);
}
