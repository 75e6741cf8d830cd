/**
 * `/approve/:token`: the page of a signed link. A GET shows one exact call and changes nothing, since previews, scanners and crawlers
 * fetch links; its button decides that call, once, as the user who has to answer. The token is the only credential: whoever has the
 * link may answer.
 */

import { Hono } from "hono";
import type { Approval } from "../../approvals/approval.ts";
import { type LinkClaims, readLink } from "../../approvals/link-token.ts";
import type { Deps } from "../../deps.ts";
import type { KeyRing } from "../../lib/key-ring.ts";
import { describeError, log } from "../../lib/log.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { AppEnv } from "../app-env.ts";
import { acceptedLanguage } from "../user/reader-language.ts";
import { callPage, type Html, hasLongValue, type Refusal, refusalPage } from "./call-page.ts";
import { pageHeaders } from "./page-style.ts";
import { isOwnForm, type LinkForm, readForm } from "./read-form.ts";

/** To be mounted at `/approve`, before the middleware that asks for a principal. */
export function approveRoutes(deps: Deps, keys: KeyRing): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.get("/:token", (c) => show(c.req.raw, deps, keys));
  app.post("/:token", (c) => decide(c.req.raw, deps, keys));
  return app;
}

async function show(request: Request, deps: Deps, keys: KeyRing): Promise<Response> {
  const link = readRequest(request, deps, keys);
  if (!link.ok) return refuse(request, ...link.error);
  const claims = link.value;
  return reached(request, async () => {
    const approval = await deps.guardOf(claims).approvals.find(claims.approval);
    return approval ? showApproval(request, approval, claims, deps.now()) : refuse(request, "link_invalid", 404);
  });
}

async function decide(request: Request, deps: Deps, keys: KeyRing): Promise<Response> {
  const link = readRequest(request, deps, keys);
  if (!link.ok) return refuse(request, ...link.error);
  const claims = link.value;
  const origins = [deps.webhooks.publicUrl, request.url].map((url) => url && new URL(url).origin);
  if (!isOwnForm(request.headers, origins)) return refuse(request, "form_elsewhere", 403);
  const form = await readForm(request, claims.user);
  if (!form.ok) return refuse(request, form.error.refusal, form.error.status);
  return reached(request, async () => {
    const { approvals } = deps.guardOf(claims);
    const { answer } = form.value;
    if (answer.action === "approve") {
      const approval = await approvals.find(claims.approval);
      if (approval && !isComplete(form.value, approval)) return refuse(request, "form_invalid", 400);
    }
    const outcome = await approvals.answer(claims.approval, answer);
    if (outcome.kind === "unknown") return refuse(request, "link_invalid", 404);
    return showApproval(request, outcome.approval, claims, deps.now(), outcome.kind === "settled" ? 409 : 200);
  });
}

/** The page requires these boxes; a program that posts the form without them has shown them to no person. */
function isComplete({ answer, hasRead }: LinkForm, approval: Approval): boolean {
  if (answer.enables && !approval.asks.includes("first_use")) return false;
  if (answer.endorses && !approval.endorsable) return false;
  return approval.status !== "pending" || hasRead || !hasLongValue(approval);
}

/** No object is read for a link that is not signed, or that has expired. */
function readRequest(
  { url }: Request,
  { now }: Deps,
  keys: KeyRing,
): Result<LinkClaims, readonly [refusal: Refusal, status: number]> {
  // The undecoded path: a decoded one would have many spellings.
  const token = new URL(url).pathname.split("/").at(-1) ?? "";
  const claims = readLink(keys, token);
  if (!claims) return err(["link_invalid", 404]);
  return claims.expiresAt <= now() ? err(["link_expired", 410]) : ok(claims);
}

async function reached(request: Request, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    log("error", "user_object_unreachable", describeError(error));
    return refuse(request, "unavailable", 503);
  }
}

function showApproval(request: Request, approval: Approval, claims: LinkClaims, now: number, status = 200) {
  const language = acceptedLanguage(request.headers) ?? approval.disclosure.language;
  return respond(callPage(approval, claims, now, language), approval.status === "expired" ? 410 : status);
}

const refuse = (request: Request, refusal: Refusal, status: number) =>
  respond(refusalPage(acceptedLanguage(request.headers) ?? "en", refusal), status);

async function respond(page: Html, status: number): Promise<Response> {
  return new Response(String(await page), { status, headers: pageHeaders });
}
