/** The form that a signed link's page posts, and the check that this page posted it. */
import { MAX_REASON } from "../../approvals/answers/answer-schema.ts";
import type { Answer } from "../../approvals/approval.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { readText } from "../request-limits.ts";
import type { Refusal } from "./call-page.ts";

/** The longest reason, each character percent-encoded. */
const MAX_FORM_BYTES = 16 * 1024;

type FormFailure = { readonly refusal: Refusal; readonly status: 400 | 403 | 413 | 415 };

/**
 * Browsers send the origin of a form, and no page can change that. Browsers without `sec-fetch-site` send only the origin. Some hide
 * it, and send `null`, which is believed only with `sec-fetch-site`.
 * @param origins of the gateway, as its people reach it.
 */
export function isOwnForm(headers: Headers, origins: readonly (string | undefined)[]): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin") return false;
  const origin = headers.get("origin");
  return origin === null || origins.includes(origin) || (origin === "null" && site === "same-origin");
}

export interface LinkForm {
  readonly answer: Answer;
  /** The box that says that the person has read the long values. */
  readonly hasRead: boolean;
}

export async function readForm(request: Request, by: string): Promise<Result<LinkForm, FormFailure>> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") return err({ refusal: "form_invalid", status: 415 });
  const text = await readText(request, MAX_FORM_BYTES);
  if (!text.ok) return err({ refusal: "form_invalid", status: 413 });
  const form = new URLSearchParams(text.value);
  const [action, ...others] = form.getAll("action");
  if (others.length > 0) return err({ refusal: "form_invalid", status: 400 });
  const hasRead = form.get("read") === "1";
  const enables = form.get("enable") === "1" ? (true as const) : undefined;
  const endorses = form.get("endorse") === "1" ? (true as const) : undefined;
  if (action === "approve")
    return ok({ answer: { action, via: "link", by, reason: null, enables, endorses }, hasRead });
  if (action !== "deny") return err({ refusal: "form_invalid", status: 400 });
  const reason = (form.get("reason") ?? "").trim().slice(0, MAX_REASON).toWellFormed();
  return ok({ answer: { action, via: "link", by, reason: reason === "" ? null : reason }, hasRead });
}
