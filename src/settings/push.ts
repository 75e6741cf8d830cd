/** Push notifications of pending approvals: `VAPID_PUBLIC_KEY`, `VAPID_PRIVATE_KEY`, `VAPID_SUBJECT`, `PUSH_HOSTS`. Pure. */
import { err, ok, type Result } from "../lib/result.ts";
import type { VapidKeys } from "../lib/web-push/vapid.ts";
import type { SettingVariables } from "./settings-table.ts";

export interface PushSettings {
  readonly keys: VapidKeys;
  readonly hosts: readonly string[];
}

/** The push services of the browsers. A user's browser names its service: no other host may be contacted. */
const HOSTS = ["fcm.googleapis.com", "*.push.services.mozilla.com", "*.push.apple.com", "*.notify.windows.com"];
const FORM = "`npx web-push generate-vapid-keys` makes a pair";

/** Every error at once, each naming its variable. Undefined if none is set. */
export function readPush(variables: SettingVariables): Result<PushSettings | undefined, readonly string[]> {
  const [publicKey, privateKey, subject] = [
    variables.VAPID_PUBLIC_KEY,
    variables.VAPID_PRIVATE_KEY,
    variables.VAPID_SUBJECT,
  ].map((value) => value?.trim() ?? "") as [string, string, string];
  if (publicKey === "" && privateKey === "" && subject === "") return ok(undefined);
  const errors: string[] = [];
  const point = Buffer.from(publicKey, "base64url");
  if (point.length !== 65 || point[0] !== 4)
    errors.push(`VAPID_PUBLIC_KEY is not a public key of 65 bytes in base64url: ${FORM}`);
  if (Buffer.from(privateKey, "base64url").length !== 32)
    errors.push(`VAPID_PRIVATE_KEY is not a private key of 32 bytes in base64url: ${FORM}`);
  if (!/^(mailto:\S+@\S+|https:\/\/\S+)$/.test(subject))
    errors.push("VAPID_SUBJECT says whom a push service may turn to: write `mailto:ops@example.com` or an https URL");
  const named = variables.PUSH_HOSTS?.split(",").map((host) => host.trim().toLowerCase());
  const hosts = named?.filter((host) => host !== "") ?? [];
  if (hosts.some((host) => !/^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(host)))
    errors.push("PUSH_HOSTS must name hosts such as `push.example.com` or `*.push.example.com`, parted by commas");
  if (errors.length > 0) return err(errors);
  return ok({ keys: { publicKey, privateKey, subject }, hosts: hosts.length > 0 ? hosts : HOSTS });
}

/** Whether a browser's push service may be contacted. */
export function mayPush({ hosts }: PushSettings, endpoint: string): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname, port, username, password } = new URL(endpoint);
  if (protocol !== "https:" || port !== "" || username !== "" || password !== "") return false;
  return hosts.some((host) => (host.startsWith("*.") ? hostname.endsWith(host.slice(1)) : hostname === host));
}
