/** `toolgate keys list|create|show|rotate|revoke`: an admin's commands on API keys. A token is printed once, alone on the output. */
import { visible, visibleJson } from "../../lib/text/visible-text.ts";
import { askYesOrNo } from "../ask-terminal.ts";
import { readPages, requestGateway } from "../gateway-client.ts";
import { adminOptions, command, fail, runSubcommand, withGateway } from "../subcommands.ts";

const COMMON = "[--json] [--gateway URL] [--tenant T]";

interface KeyView {
  readonly id: string;
  readonly user: string;
  readonly role: string;
  readonly name: string;
  readonly status: string;
  readonly expires_at: string | null;
  readonly acts_for: boolean;
  readonly operator: boolean;
  readonly token?: string;
}

const pathOf = (id: string, tenant: string | undefined, more = ""): string =>
  `/admin/keys/${encodeURIComponent(id)}${more}${tenant === undefined ? "" : `?tenant=${encodeURIComponent(tenant)}`}`;

const list = command({
  usage: `list ${COMMON}\nprints the keys of a tenant, without their tokens`,
  options: adminOptions,
  positionals: [0, 0],
  run: ({ gateway: url, tenant, json }) =>
    withGateway(url, async (gateway) => {
      const query = { order: "asc", ...(tenant === undefined ? {} : { tenant }) };
      const read = await readPages<KeyView>(gateway, "/admin/keys", query, (keys) => {
        for (const key of keys) print(key, json);
      });
      return read.ok ? 0 : fail(read.error);
    }),
});

const create = command({
  usage: `create USER ROLE [--name TEXT] [--expires-in 90d] [--connections A,B] [--rate-limit 600/1m] [--acts-for] [--default-role ROLE] [--user-prefix PREFIX] [--operator] [--anonymous] ${COMMON}
makes a key; its token alone goes to the output, once; --acts-for makes a service key`,
  options: {
    ...adminOptions,
    name: { type: "string" },
    "expires-in": { type: "string" },
    connections: { type: "string" },
    "acts-for": { type: "boolean" },
    "default-role": { type: "string" },
    "user-prefix": { type: "string" },
    "rate-limit": { type: "string" },
    operator: { type: "boolean" },
    anonymous: { type: "boolean" },
  },
  positionals: [2, 2],
  run: (values, [user, role]) => {
    const { tenant, name, operator, anonymous, connections } = values;
    const limit = values["rate-limit"] === undefined ? undefined : rateLimitIn(values["rate-limit"]);
    if (limit === null) return fail(["--rate-limit: write requests per window, such as `600/1m`, or `600/1m exact`"]);
    const body = {
      user,
      role,
      tenant,
      name,
      operator,
      anonymous,
      expires_in: values["expires-in"],
      acts_for: values["acts-for"],
      default_role: values["default-role"],
      user_prefix: values["user-prefix"],
      rate_limit: limit,
      connections: connections?.split(",").map((one) => one.trim()),
    };
    return withGateway(values.gateway, async (gateway) => {
      const made = await requestGateway<KeyView>(gateway, "/admin/keys", post(body, "to make the key"));
      return made.ok ? printToken(made.value, values.json) : fail(made.error);
    });
  },
});

/** In the form of the Admin API, which reports a wrong part; null if the text has no parts. */
function rateLimitIn(text: string): object | null {
  const [, max, window, exact] = /^(\d{1,10})\/(\S+)( +exact)?$/.exec(text.trim()) ?? [];
  return max === undefined ? null : { max: Number(max), window, ...(exact ? { exact: true } : {}) };
}

const show = command({
  usage: `show ID ${COMMON}`,
  options: adminOptions,
  positionals: [1, 1],
  run: ({ gateway: url, tenant, json }, [id = ""]) =>
    withGateway(url, async (gateway) => {
      const key = await requestGateway<KeyView>(gateway, pathOf(id, tenant));
      if (!key.ok) return fail(key.error);
      print(key.value, json);
      return 0;
    }),
});

const rotate = command({
  usage: `rotate ID [--overlap 24h] ${COMMON}\nmakes a new token; the old one works as long as --overlap says`,
  options: { ...adminOptions, overlap: { type: "string", default: "24h" } },
  positionals: [1, 1],
  run: ({ gateway: url, tenant, json, overlap }, [id = ""]) =>
    withGateway(url, async (gateway) => {
      const path = pathOf(id, tenant, "/rotate");
      const made = await requestGateway<KeyView>(gateway, path, post({ overlap }, "to rotate the key"));
      return made.ok ? printToken(made.value, json) : fail(made.error);
    }),
});

const revoke = command({
  usage: `revoke ID [--yes] ${COMMON}\nends a key; asks before`,
  options: { ...adminOptions, yes: { type: "boolean", default: false } },
  positionals: [1, 1],
  run: ({ gateway: url, tenant, json, yes }, [id = ""]) =>
    withGateway(url, async (gateway) => {
      const path = pathOf(id, tenant);
      if (!yes) {
        const key = await requestGateway<KeyView>(gateway, path);
        if (!key.ok) return fail(key.error);
        const agrees = await askYesOrNo(`End the key of ${visible(key.value.user)} (${id})?`);
        if (!agrees) return fail([agrees === undefined ? "nobody can be asked: add --yes" : "nothing was changed"]);
      }
      const ended = await requestGateway<{ readonly settled?: boolean }>(gateway, path, { method: "DELETE" });
      if (!ended.ok) return fail(ended.error);
      const when =
        ended.value.settled === false
          ? "it ends as soon as the store answers"
          : "it ends everywhere within two minutes";
      console.log(json ? JSON.stringify(ended.value) : `${id}: ${when}`);
      return 0;
    }),
});

/** @param refused what the gateway refuses, in words, so that the operator's own key is not meant. */
const post = (body: object, refused: string) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
  refused,
});

function print(key: KeyView, json: boolean): void {
  if (json) {
    console.log(visibleJson(key, 0));
    return;
  }
  const marks = [key.operator ? "operator" : "", key.acts_for ? "service" : ""].filter((mark) => mark !== "");
  const ends = key.expires_at === null ? "does not expire" : `until ${key.expires_at}`;
  console.log(
    visible([key.id, key.status, key.user, key.role, ...marks, ends, key.name].filter((one) => one !== "").join("  ")),
  );
}

/** The token goes to standard output for scripts, the rest to standard error. */
function printToken(key: KeyView, json: boolean): number {
  if (json) {
    print(key, true);
    return 0;
  }
  const ends = key.expires_at === null ? "does not expire" : `until ${key.expires_at}`;
  console.error(visible(`${key.id}  ${key.user}  ${key.role}  ${ends}; this token is shown once:`));
  console.log(key.token ?? "");
  return 0;
}

export const keysCommand = (args: readonly string[]): Promise<number> =>
  runSubcommand("toolgate keys", { list, create, show, rotate, revoke }, args);
