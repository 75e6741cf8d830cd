/** The page of settings: health of the gateway, delivery of the trail, the policy in force, models. */

import type { PolicyView } from "../../api-views/policy-views.ts";
import { isObject } from "../../lib/json/json-value.ts";
import { Pill } from "../parts/parts.tsx";
import { useApi } from "../parts/use-api.ts";
import { FailureNote, PageHeading, Prose, SkeletonRows } from "../shell/page-parts.tsx";
import { me } from "../sign-in/me.ts";
import { VerifyAll } from "../trail/verify-all.tsx";
import { texts } from "./texts.ts";

interface Health {
  readonly status: "ok" | "degraded";
  readonly audit: keyof typeof texts.trailStates;
}

/** The part of `/console/config.json` that is shown here. */
interface Config {
  readonly development: boolean;
  readonly push: object | null;
  readonly sign_in: { readonly name: string } | null;
}

const MANY = 12;
/** The default, for a policy without this key. */
const DEFAULT_DAYS = 90;

export function SettingsPage() {
  const tenant = me.value?.tenant ?? "";
  const health = useApi<Health>("/health");
  const policy = useApi<PolicyView>(`/admin/policies/${encodeURIComponent(tenant)}`).value.value;
  const models = useApi<{ readonly data: readonly { readonly id: string }[] }>("/v1/models").value.value?.data ?? [];
  const config = useApi<Config>("/console/config.json").value.value;
  const audit = isObject(policy?.document.audit) ? policy.document.audit : {};
  const found = health.value.value;
  return (
    <>
      <PageHeading>{texts.title}</PageHeading>
      {health.failure.value && <FailureNote failure={health.failure.value} retry={health.reload} />}
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
            <div>
              <dt>{texts.chains}</dt>
              <dd>
                <VerifyAll />
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
        <div>
          <dt>{texts.address}</dt>
          <dd class="mono">{`${location.origin}/v1`}</dd>
        </div>
        {config && (
          <>
            <div>
              <dt>{texts.signIn}</dt>
              <dd>
                {[texts.byKey, config.sign_in?.name, config.development && texts.byDevelopmentKey]
                  .filter(Boolean)
                  .join(", ")}
              </dd>
            </div>
            <div>
              <dt>{texts.push}</dt>
              <dd>{config.push ? texts.on : <Prose text={texts.pushOff} />}</dd>
            </div>
          </>
        )}
        {policy && (
          <div>
            <dt>{texts.records}</dt>
            <dd>
              {texts.kept(typeof audit.retentionDays === "number" ? audit.retentionDays : DEFAULT_DAYS)}{" "}
              {audit.logToolCalls === false ? texts.noArguments : texts.withArguments}{" "}
              {audit.logMessages === true ? texts.withMessages : texts.noMessages}
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
      <p class="hint">
        <Prose text={texts.how} />
      </p>
    </>
  );
}
