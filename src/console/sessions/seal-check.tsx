/** Checks the chain of a user's records where they are shown. */
import { useSignal } from "@preact/signals";
import { call, type Failure } from "../api/call.ts";
import type { VerificationView } from "../api/trail-views.ts";
import { Icon } from "../shell/icon.tsx";
import { FailureNote } from "../shell/page-parts.tsx";
import { texts } from "./texts.ts";

type Seal =
  | { readonly state: "checking" }
  | { readonly state: "whole"; readonly to: number }
  | { readonly state: "broken"; readonly message: string }
  | { readonly state: "failed"; readonly failure: Failure };

export function SealCheck({ user }: { readonly user: string }) {
  const seal = useSignal<Seal | undefined>(undefined);
  const shown = seal.value;
  return (
    <div class="seal">
      <button
        type="button"
        class="button"
        title={texts.sealNote}
        aria-disabled={shown?.state === "checking"}
        onClick={async () => {
          if (seal.value?.state === "checking") return;
          seal.value = { state: "checking" };
          seal.value = await check(user);
        }}
      >
        <Icon name="seal" />
        {texts.seal}
      </button>
      <span role="status">
        {shown?.state === "checking" && texts.sealing}
        {shown?.state === "whole" && texts.sealed(1, shown.to)}
        {shown?.state === "broken" && <strong class="grave-text">{`${texts.broken} ${shown.message}`}</strong>}
        {shown?.state === "failed" && <FailureNote failure={shown.failure} />}
      </span>
    </div>
  );
}

/** The gateway checks page by page. */
async function check(user: string): Promise<Seal> {
  let after: number | null = 0;
  let to = 0;
  while (after !== null) {
    const page: Awaited<ReturnType<typeof call<VerificationView>>> = await call<VerificationView>(
      `/v1/audit/verify?user=${encodeURIComponent(user)}${after === 0 ? "" : `&after=${after}`}`,
    );
    if (!page.ok) return { state: "failed", failure: page.error };
    if (!page.value.ok) return { state: "broken", message: page.value.problem?.message ?? "" };
    to = page.value.to ?? to;
    after = page.value.next_after;
  }
  return { state: "whole", to };
}
