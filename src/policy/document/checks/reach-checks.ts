/** Where a request of Toolgate's own goes, and with which headers. Pure. */
import { hostOf, isSameHost, listedHost } from "../../../lib/host.ts";
import type { IssuePath, Report } from "../policy-issue.ts";
import { isHeaderName, isHeaderText, isOurs } from "./header-names.ts";
import { withoutReferences } from "./references.ts";
import { checkTemplate, type Standing } from "./template-checks.ts";

export interface Reach {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly allowHosts?: readonly string[] | undefined;
  readonly allowPrivate: boolean;
}

/** @param standing what templates may name; in the URL they stand as in a URL. */
export function checkReach(reach: Reach, standing: Omit<Standing, "place">, path: IssuePath, report: Report): void {
  const fault = urlFault(reach);
  if (fault !== undefined) report([...path, "url"], fault, [[...path, "allowPrivate"]]);
  checkTemplate(reach.url, { ...standing, place: "url" }, [...path, "url"], report);
  checkHosts(reach, path, report);
  checkHeaders(reach.headers, standing, [...path, "headers"], report);
}

function urlFault({ url, allowPrivate }: Reach): string | undefined {
  const [, scheme, authority = ""] = /^(https?):\/\/([^/?#\\]*)/i.exec(url) ?? [];
  if (scheme === undefined) return "must begin with `https://` and a host";
  if (scheme.toLowerCase() === "http" && !allowPrivate)
    return "plain http is not secret, begin with `https://` (http is for `allowPrivate` alone)";
  if (/\{\{|\}\}/.test(authority))
    return "a template cannot stand in the host: who fills it would choose where it goes";
  if (authority.includes("@")) return "holds a user or password, send them in `headers`";
  const rest = withoutReferences(url, "x");
  if (rest.includes("#")) return "holds a fragment, which is never sent";
  if (/[\s\\]/.test(rest)) return "holds a blank or a backslash, write it percent-encoded";
  return hostOf(url) === undefined || !URL.canParse(rest) ? "is no URL" : undefined;
}

function checkHosts({ url, allowHosts }: Reach, path: IssuePath, report: Report): void {
  if (allowHosts === undefined) return;
  const host = hostOf(url);
  const protocol = /^http:/i.test(url) ? "http:" : "https:";
  const listed = allowHosts.map((entry) => listedHost(entry, protocol));
  for (const [index, one] of listed.entries()) {
    if (one === undefined || one.includes("*"))
      report(
        [...path, "allowHosts", index],
        "is no host, write one such as `crm.example.com`, with its port where it has one",
      );
  }
  if (host !== undefined && !listed.some((one) => one !== undefined && isSameHost(one, host)))
    report([...path, "url"], `\`${host}\` is not among \`allowHosts\``, [[...path, "allowHosts"]]);
}

function checkHeaders(
  headers: Reach["headers"],
  standing: Omit<Standing, "place">,
  path: IssuePath,
  report: Report,
): void {
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    const at = [...path, name];
    if (!isHeaderName(name)) report(at, "is no name of a header");
    else if (isOurs(name)) report(at, "belongs to the connection, which the gateway makes: leave it out");
    else if (seen.has(name.toLowerCase())) report(at, "is there already, spelled otherwise");
    seen.add(name.toLowerCase());
    if (!isHeaderText(withoutReferences(value, "")))
      report(at, "holds what no header can: a line break, or a character that is not Latin-1");
    checkTemplate(value, { ...standing, place: "headers" }, at, report);
  }
}
