/**
 * The hosts that a link in the model's words may lead to, and whether a link's address leads to one of them. Pure.
 *
 * A host is named by its whole name: a subdomain, another port or a user name before it can carry data to a third party. A path or
 * a query at a named host may stay.
 */
export interface NamedHosts {
  /** @param host as a URL parser writes it, with its port. */
  isNamed(host: string): boolean;
  /** @param host the part of a mail address behind the `@`. */
  isNamedMail(host: string): boolean;
}

/** `https://www.Docs.example.:443/x` is at the host `docs.example`. */
const canonicalHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/:(?:80|443)$/, "")
    .replace(/\.(?=:\d+$|$)/, "")
    .replace(/^www\./, "");

/** As a URL parser writes it; undefined if it is no host. */
export function hostOf(authority: string): string | undefined {
  try {
    const { host, username, password } = new URL(`http://${authority}/`);
    return username === "" && password === "" && host !== "" ? canonicalHost(host) : undefined;
  } catch {
    return undefined;
  }
}

const SEPARATORS = /[\s<>()[\]{}"'`|,;*（）「」【】《》“”‘’、，；]+/u;
const ASIAN = /^(?:[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]|[。．！？：])/u;

/**
 * @param texts the user's own words, and values of trusted results.
 * @param globs hosts that the policy lists, `*.corp.com` among them.
 */
export function namedHosts(texts: Iterable<string>, globs: readonly string[]): NamedHosts {
  const hosts = new Set<string>();
  const mailHosts = new Set<string>();
  for (const text of texts) for (const token of text.split(SEPARATORS)) noteHosts(token, hosts, mailHosts);
  const suffixes: string[] = [];
  for (const glob of globs) {
    if (glob.startsWith("*.")) suffixes.push(glob.slice(1).toLowerCase());
    else hosts.add(hostOf(glob) ?? glob);
  }
  const isNamed = (host: string): boolean => {
    const canonical = canonicalHost(host);
    return hosts.has(canonical) || suffixes.some((suffix) => canonical.endsWith(suffix));
  };
  return {
    isNamed,
    isNamedMail: (host) => isNamed(host) || mailHosts.has(canonicalHost(host)),
  };
}

function noteHosts(token: string, hosts: Set<string>, mailHosts: Set<string>): void {
  if (!/[.:]/.test(token)) return;
  const scheme = /^.*?https?:\/\//i.exec(token)?.[0];
  const rest = token.slice(scheme?.length ?? 0);
  const authority = /^[^/?#\\]*/.exec(rest)?.[0] ?? "";
  const [local = "", mailHost, ...more] = authority.replace(/^mailto:/i, "").split("@");
  if (mailHost === undefined) note(local, hosts, scheme !== undefined);
  else if (scheme === undefined && local !== "" && more.length === 0) note(mailHost, mailHosts, false);
}

function note(text: string, hosts: Set<string>, isUrl: boolean): void {
  const ascii = /^[a-z0-9.-]+(?::\d+)?/i.exec(text)?.[0] ?? "";
  // Chinese and Japanese put no blank behind an address.
  const name = ascii !== "" && ASIAN.test(text.slice(ascii.length)) ? ascii : text;
  const bare = name.replace(/[.:!?…]+$/u, "");
  if (bare === "" || (!isUrl && !/[^.]\.[^.]/.test(bare))) return;
  const host = hostOf(bare);
  if (host !== undefined) hosts.add(host);
}

/** The target of an address in a link. */
interface LinkTarget {
  readonly isNamed: boolean;
  /** For the record; the scheme if there is no host. */
  readonly host: string;
}

const RELATIVE = "relative.invalid";
const ENTITY = /&(?:#|[a-z][a-z0-9]*;)/i;
/** An address behind one of these may be a link of its own if the first one is none. */
const NESTED = /[^\w/?=&#.%+:-](?:https?:|ftp:|www\.)/i;

/**
 * @param written an address as it is written in a link, a definition or an attribute. Escapes and entities that could spell
 * another address count as not named.
 */
export function targetOf(written: string, named: NamedHosts): LinkTarget {
  const plain = written.replace(/\\([()*~&_-])/g, "$1").replace(/&amp;/gi, "&");
  if (/[\\`<>\0-\x20\x7f]/.test(plain) || ENTITY.test(plain)) return { isNamed: false, host: beginning(written) };
  // A frontend may be served by either; a scheme without slashes is relative to one of them only.
  const targets = ["https", "http"].map((scheme) => targetFrom(plain, `${scheme}://${RELATIVE}/`, named));
  return targets.find(({ isNamed }) => !isNamed) ?? targets[0] ?? { isNamed: false, host: "" };
}

function targetFrom(plain: string, base: string, named: NamedHosts): LinkTarget {
  let url: URL;
  try {
    url = new URL(plain, base);
  } catch {
    return { isNamed: false, host: beginning(plain) };
  }
  const { protocol, host, username, password } = url;
  if (protocol === "mailto:" || protocol === "xmpp:") return mailTarget(plain, named);
  if (protocol === "tel:") return { isNamed: true, host: protocol };
  if (protocol !== "https:" && protocol !== "http:") return { isNamed: false, host: host || protocol };
  if (username !== "" || password !== "") return { isNamed: false, host };
  if (host === RELATIVE) return { isNamed: !/https?:|ftp:|www\.|@|\/\//i.test(plain), host: beginning(plain) };
  const behind = plain.slice(plain.indexOf("//") + 2);
  return { isNamed: named.isNamed(host) && !NESTED.test(behind), host };
}

/** Also the addresses in its `cc` and `bcc`. */
function mailTarget(plain: string, named: NamedHosts): LinkTarget {
  try {
    const hosts = [...decodeURIComponent(plain).matchAll(/@([^,;?&/\s]+)/g)].map(([, host = ""]) => host);
    const other = hosts.find((host) => !named.isNamedMail(host));
    return { isNamed: hosts.length > 0 && other === undefined, host: beginning(other ?? hosts[0] ?? "mailto:") };
  } catch {
    return { isNamed: false, host: "mailto:" };
  }
}

const beginning = (text: string): string => text.slice(0, 100);
