/** `toolgate keys list|create|show|rotate|revoke`: who may use a gateway, for admins. A token is printed once, alone on the output. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { visible, visibleJson } from "../../lib/text/visible-text.ts";
import { askYesOrNo } from "../ask-terminal.ts";
import { DEFAULT_GATEWAY, type GatewayAddress, readGatewayAddress, requestGateway } from "../gateway-client.ts";
import { fail, printUsage, runSubcommand, type Subcommand } from "../subcommands.ts";

const PROGRAM = "toolgate keys";
const COMMON = "[--json] [--gateway URL] [--tenant T]";

const common = {
  gateway: { type: "string", default: DEFAULT_GATEWAY },
  tenant: { type: "string" },
  json: { type: "boolean", default: false },
} as const satisfies ParseArgsConfig["options"];

const list: Subcommand = { usage: `list ${COMMON}\nprints the keys of a tenant, without their tokens`, run: runList };
const create: Subcommand = {
  usage: `create USER ROLE [--name TEXT] [--expires-in 90d] [--connections A,B] [--rate-limit 600/1m] [--acts-for] [--default-role ROLE] [--user-prefix PREFIX] [--operator] [--anonymous] ${COMMON}
makes a key; its token alone goes to the output, once; --acts-for makes a service key`,
  run: runCreate,
};
const show: Subcommand = { usage: `show ID ${COMMON}`, run: runShow };
const rotate: Subcommand = {
  usage: `rotate ID [--overlap 24h] ${COMMON}\nmakes a new token; the old one works as long as --overlap says`,
  run: runRotate,
};
const revoke: Subcommand = { usage: `revoke ID [--yes] ${COMMON}\nends a key; asks before`, run: runRevoke };

export const keysCommand = (args: readonly string[]): Promise<number> =>
  runSubcommand(PROGRAM, new Map(Object.entries({ list, create, show, rotate, revoke })), args);

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

interface KeyPage {
  readonly data: readonly KeyView[];
  readonly last_id: string | null;
  readonly has_more: boolean;
}

const pathOf = (id: string, tenant: string | undefined, more = ""): string =>
  `/admin/keys/${encodeURIComponent(id)}${more}${tenant === undefined ? "" : `?tenant=${encodeURIComponent(tenant)}`}`;

async function runList(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], options: common, allowPositionals: true });
  if (positionals.length > 0) return printUsage(PROGRAM, list);
  return withGateway(values.gateway, async (gateway) => {
    let after: string | null = null;
    do {
      const params = new URLSearchParams({ limit: "100", order: "asc" });
      if (values.tenant !== undefined) params.set("tenant", values.tenant);
      if (after !== null) params.set("after", after);
      const page = await requestGateway<KeyPage>(gateway, `/admin/keys?${params}`);
      if (!page.ok) return fail(page.error);
      for (const key of page.value.data) print(key, values.json);
      after = page.value.has_more ? page.value.last_id : null;
    } while (after !== null);
    return 0;
  });
}

async function runCreate(args: readonly string[]): Promise<number> {
  const options = {
    ...common,
    name: { type: "string" },
    "expires-in": { type: "string" },
    connections: { type: "string" },
    "acts-for": { type: "boolean" },
    "default-role": { type: "string" },
    "user-prefix": { type: "string" },
    "rate-limit": { type: "string" },
    operator: { type: "boolean" },
    anonymous: { type: "boolean" },
  } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [user, role, ...more] = positionals;
  if (user === undefined || role === undefined || more.length > 0) return printUsage(PROGRAM, create);
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
}

/** As the Admin API takes it, which says what is wrong with a part; null where there are no parts. */
function rateLimitIn(text: string): object | null {
  const [, max, window, exact] = /^(\d{1,10})\/(\S+)( +exact)?$/.exec(text.trim()) ?? [];
  return max === undefined ? null : { max: Number(max), window, ...(exact ? { exact: true } : {}) };
}

async function runShow(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], options: common, allowPositionals: true });
  const [id, ...more] = positionals;
  if (id === undefined || more.length > 0) return printUsage(PROGRAM, show);
  return withGateway(values.gateway, async (gateway) => {
    const key = await requestGateway<KeyView>(gateway, pathOf(id, values.tenant));
    if (!key.ok) return fail(key.error);
    print(key.value, values.json);
    return 0;
  });
}

async function runRotate(args: readonly string[]): Promise<number> {
  const options = { ...common, overlap: { type: "string", default: "24h" } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [id, ...more] = positionals;
  if (id === undefined || more.length > 0) return printUsage(PROGRAM, rotate);
  return withGateway(values.gateway, async (gateway) => {
    const path = pathOf(id, values.tenant, "/rotate");
    const made = await requestGateway<KeyView>(gateway, path, post({ overlap: values.overlap }, "to rotate the key"));
    return made.ok ? printToken(made.value, values.json) : fail(made.error);
  });
}

async function runRevoke(args: readonly string[]): Promise<number> {
  const options = { ...common, yes: { type: "boolean", default: false } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [id, ...more] = positionals;
  if (id === undefined || more.length > 0) return printUsage(PROGRAM, revoke);
  return withGateway(values.gateway, async (gateway) => {
    const path = pathOf(id, values.tenant);
    if (!values.yes) {
      const key = await requestGateway<KeyView>(gateway, path);
      if (!key.ok) return fail(key.error);
      const yes = await askYesOrNo(`End the key of ${visible(key.value.user)} (${id})?`);
      if (!yes) return fail([yes === undefined ? "nobody can be asked: add --yes" : "nothing was changed"]);
    }
    const ended = await requestGateway<{ readonly settled?: boolean }>(gateway, path, { method: "DELETE" });
    if (!ended.ok) return fail(ended.error);
    const when =
      ended.value.settled === false ? "it ends as soon as the store answers" : "it ends everywhere within two minutes";
    console.log(values.json ? JSON.stringify(ended.value) : `${id}: ${when}`);
    return 0;
  });
}

async function withGateway(url: string, run: (gateway: GatewayAddress) => Promise<number>): Promise<number> {
  const gateway = readGatewayAddress(url, process.env);
  return gateway.ok ? run(gateway.value) : fail(gateway.error);
}

/** @param refused what a refusal is of: not the operator's own key. */
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

/** The token goes where a script takes it from, all else beside it. */
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
