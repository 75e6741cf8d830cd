/** Receivers of approval events, and the keys that sign events and links: `WEBHOOKS`, `SIGNING_KEYS`, `PUBLIC_URL`. Pure. */
import * as z from "zod";
import { isLoopbackHost } from "../lib/host.ts";
import { type KeyRing, parseKeyRing } from "../lib/key-ring.ts";
import { isName, NAME_RULE } from "../lib/names.ts";
import { once } from "../lib/once.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { readJsonSetting } from "./json-setting.ts";
import type { SettingVariables } from "./settings-table.ts";

/** `approval.ended`: without an answer, or before what was approved ran; it expired or was cancelled. */
const webhookEvents = ["approval.asked", "approval.answered", "approval.ended"] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** Kinds of audit records that a receiver may want. */
const exportedKinds = ["turn", "decision", "approval", "run", "plan", "connection", "reset", "change"] as const;
export type ExportedKind = (typeof exportedKinds)[number];

export interface Webhook {
  readonly url: string;
  /** Absent: every tenant. */
  readonly tenant?: string | undefined;
  readonly events: readonly WebhookEvent[];
  /** Kinds of records that it gets as they are sealed. */
  readonly records: readonly ExportedKind[];
}

export interface WebhookSettings {
  readonly webhooks: readonly Webhook[];
  /** Undefined if none is set: then nothing is sent, and no link works. */
  readonly keys: KeyRing | undefined;
  /** Without a slash at its end. Undefined: webhooks have no links. */
  readonly publicUrl: string | undefined;
}

export const NO_WEBHOOKS: WebhookSettings = { webhooks: [], keys: undefined, publicUrl: undefined };

const MAX_WEBHOOKS = 20;
const FORM = '`[{ "url": "https://…", "tenant"?: "…", "events"?: […], "records"?: […] }]`';

/** Every error at once, each naming its variable. No URL is cited: it may hold a receiver's secret. */
export function readWebhooks(variables: SettingVariables): Result<WebhookSettings, readonly string[]> {
  const dev = variables.TOOLGATE_DEV === "1";
  const errors: string[] = [];
  const webhooks = readList(variables.WEBHOOKS?.trim(), dev);
  if (!webhooks.ok) errors.push(...webhooks.error);
  const setting = variables.SIGNING_KEYS?.trim();
  const keys = setting ? parseKeyRing(setting, "signing key") : undefined;
  if (keys && !keys.ok) errors.push(`SIGNING_KEYS: ${keys.error}`);
  if (!keys && webhooks.ok && webhooks.value.length > 0)
    errors.push("SIGNING_KEYS is not set, but WEBHOOKS is: write `id:secret`, the secret of at least 32 characters");
  const publicUrl = variables.PUBLIC_URL?.trim().replace(/\/+$/, "") || undefined;
  const problem = publicUrl === undefined ? undefined : problemOf(publicUrl, dev);
  if (problem !== undefined) errors.push(`PUBLIC_URL ${problem}, such as https://tools.example.com`);
  else if (publicUrl !== undefined && /[?#]/.test(publicUrl))
    errors.push("PUBLIC_URL holds a query or fragment, which no path can be put behind: leave it out");
  if (!webhooks.ok || errors.length > 0) return err(errors);
  return ok({ webhooks: webhooks.value, keys: keys?.ok ? keys.value : undefined, publicUrl });
}

const list = once(() =>
  z
    .array(
      z.strictObject({
        url: z.string().max(2048),
        tenant: z.string().refine(isName, `must have ${NAME_RULE}`).optional(),
        events: z.array(z.enum(webhookEvents)).min(1).optional(),
        records: z.array(z.enum(exportedKinds)).min(1).optional(),
      }),
    )
    .max(MAX_WEBHOOKS),
);

function readList(text: string | undefined, dev: boolean): Result<readonly Webhook[], readonly string[]> {
  if (!text) return ok([]);
  const read = readJsonSetting("WEBHOOKS", text, list(), FORM);
  if (!read.ok) return read;
  const problems = read.value.flatMap(({ url, tenant }, index) => {
    const problem = problemOf(url, dev);
    if (problem !== undefined)
      return [`WEBHOOKS: ${index}.url ${problem}, such as https://hooks.example.com/approvals`];
    const twice = read.value.findIndex((other) => other.url === url && other.tenant === tenant) < index;
    return twice
      ? [
          `WEBHOOKS: ${index} has the \`url\` and the \`tenant\` of another: write one entry with the events and records of both`,
        ]
      : [];
  });
  if (problems.length > 0) return err(problems);
  // An entry that asks for records alone gets no events.
  const events = (records: unknown) => (records === undefined ? webhookEvents : []);
  return ok(
    read.value.map((one) => ({ ...one, events: one.events ?? events(one.records), records: one.records ?? [] })),
  );
}

/** To be written behind the name of the URL. */
function problemOf(text: string, dev: boolean): string | undefined {
  if (!URL.canParse(text)) return "is no URL: write an https URL";
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return "holds a user or password: write an https URL without";
  if (protocol === "https:") return undefined;
  // Over plain http an attacker on the way could read the call, and decide it.
  if (protocol === "http:" && isLoopbackHost(hostname) && dev) return undefined;
  return "is no https URL (http is for loopback in development alone): write an https URL";
}
