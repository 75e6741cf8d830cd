/**
 * Which requests the listener of `npm start` passes on. Pure.
 *
 * The development keys are public, so a web page must never speak as this machine. A page whose name was
 * rebound to this address still sends its own name as `Host`, and a page of another site its `Origin`; no script can
 * change either.
 */
import { badRequest, forbidden, type Problem } from "../../http/problem.ts";
import { isLoopbackHost } from "../../lib/host.ts";
import type { CorsSettings } from "../../settings/cors.ts";

export interface AdmissionRules {
  /** The listener's port. */
  readonly port: number;
  readonly cors: CorsSettings;
  /** `PUBLIC_URL`: the address at which a tunnel makes the gateway reachable. */
  readonly publicUrl: string | undefined;
}

interface ArrivedRequest {
  /** The request target as it was sent. */
  readonly target: string;
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders: readonly string[];
}

/** Undefined if the request may be passed on. */
export function admissionProblem({ target, rawHeaders }: ArrivedRequest, rules: AdmissionRules): Problem | undefined {
  if (!target.startsWith("/")) return badRequest(undefined, "the request target must be a path");
  const [host, ...moreHosts] = valuesOf(rawHeaders, "host");
  const [origin, ...moreOrigins] = valuesOf(rawHeaders, "origin");
  if (moreHosts.length > 0) return badRequest("host", "a request has one `host`");
  if (moreOrigins.length > 0) return badRequest("origin", "a request has one `origin`");
  if (host === undefined || !isOwnHost(host, rules)) return hostForbidden(rules);
  const [site] = valuesOf(rawHeaders, "sec-fetch-site");
  if (origin !== undefined && !isAdmittedOrigin(origin, site, rules)) return originForbidden;
  return undefined;
}

const hostForbidden = ({ port }: AdmissionRules): Problem =>
  forbidden(
    "host_forbidden",
    `\`npm start\` serves this machine alone: ask at http://localhost:${port}, or set PUBLIC_URL to the address of your tunnel`,
    "host",
  );

const originForbidden = forbidden(
  "origin_forbidden",
  "a page of this origin may not ask: name the origin in CORS_ORIGINS",
  "origin",
);

function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? "");
  return values;
}

/** Only the plain spellings: `URL` would make this machine of `0x7f.1`, and other readers something else. */
function isOwnHost(host: string, { port, publicUrl }: AdmissionRules): boolean {
  const lower = host.toLowerCase();
  if (publicUrl !== undefined && lower === new URL(publicUrl).host) return true;
  const [, name, written = "80"] = /^(localhost|\[::1\]|127(?:\.\d{1,3}){3})(?::(\d+))?$/.exec(lower) ?? [];
  return name !== undefined && written === String(port);
}

function isAdmittedOrigin(origin: string, site: string | undefined, { cors, publicUrl }: AdmissionRules): boolean {
  if (cors.any || cors.origins.has(origin)) return true;
  // Some browsers hide the origin of the gateway's own forms; no page can make up `sec-fetch-site`.
  if (origin === "null") return site === "same-origin";
  if (!/^https?:/.test(origin) || !URL.canParse(origin)) return false;
  if (publicUrl !== undefined && origin === new URL(publicUrl).origin) return true;
  return isLoopbackHost(new URL(origin).hostname);
}

/**
 * Headers of one connection alone, and those by which a proxy describes a request to the runtime (`mf-original-url` would be taken for
 * its URL): a client that sends them could pose as this machine.
 */
const NOT_PASSED =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|mf-.*|cf-.*|x-forwarded-.*|forwarded|x-real-ip|true-client-ip|x-toolgate-listener)$/;

/** @param rawHeaders names and values in turn. */
export function passedHeaders(rawHeaders: readonly string[]): string[] {
  const ofConnection = new Set<string>();
  eachHeader(rawHeaders, (name, value) => {
    if (name === "connection") for (const one of value.split(",")) ofConnection.add(one.trim().toLowerCase());
  });
  const passed: string[] = [];
  eachHeader(rawHeaders, (name, value, written) => {
    if (!NOT_PASSED.test(name) && !ofConnection.has(name)) passed.push(written, value);
  });
  return passed;
}

function eachHeader(
  rawHeaders: readonly string[],
  visit: (name: string, value: string, written: string) => void,
): void {
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [written = "", value = ""] = [rawHeaders[at], rawHeaders[at + 1]];
    visit(written.toLowerCase(), value, written);
  }
}
