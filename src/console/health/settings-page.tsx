/** Whether the gateway is in order, and what it runs with: health, the trail, the policy in force, models. */
import type { PolicyView } from "../api/policy-views.ts";
import { Pill } from "../parts/parts.tsx";
import { useApi } from "../parts/use-api.ts";
import { FailureNote, PageHeading, SkeletonRows } from "../shell/page-parts.tsx";
import { me } from "../sign-in/me.ts";
import { texts } from "./texts.ts";

interface Health {
  readonly status: "ok" | "degraded";
  readonly audit: keyof typeof texts.trailStates;
}

const MANY = 12;

export function SettingsPage() {
  const tenant = me.value?.tenant ?? "";
  const health = useApi<Health>("/health");
  const policy = useApi<PolicyView>(`/admin/policies/${encodeURIComponent(tenant)}`).value.value;
  const models = useApi<{ readonly data: readonly { readonly id: string }[] }>("/v1/models").value.value?.data ?? [];
  const found = health.value.value;
  return (
    <>
      <PageHeading>{texts.title}</PageHeading>
      {health.failure.value && <FailureNote failure={health.failure.value} />}
      {health.loading.value && !found && <SkeletonRows />}
      <dl class="facts">
        {found && (
          <>
            <div>
              <dt>{texts.gateway}</dt>
              <dd>
                <Pill tone={found.status === "ok" ? "go" : "grave"}>
                  {found.status === "ok" ? texts.ok : texts.degraded}
                </Pill>
              </dd>
            </div>
            <div>
              <dt>{texts.trail}</dt>
              <dd>
                <Pill tone={found.audit === "ok" ? "go" : "grave"}>{texts.trailStates[found.audit]}</Pill>
              </dd>
            </div>
          </>
        )}
        {policy && (
          <div>
            <dt>{texts.policy}</dt>
            <dd>
              <a class="row-link" href="/console/policy">
                {String(policy.document.name ?? "default")}
              </a>{" "}
              <span class="mono hint">{policy.version?.slice(0, 12)}</span>
            </dd>
          </div>
        )}
        {models.length > 0 && (
          <div>
            <dt>{texts.models}</dt>
            <dd class="mono">
              {models
                .slice(0, MANY)
                .map(({ id }) => id)
                .join(", ")}{" "}
              {models.length > MANY && texts.more(models.length - MANY)}
            </dd>
          </div>
        )}
      </dl>
      <p class="hint">{texts.how}</p>
    </>
  );
}
