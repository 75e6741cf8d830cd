/** Limits of a request: the body is read up to a number of bytes, and the headers are counted. Beyond them: 413 or 431. */
import { readBounded } from "../lib/read-bounded.ts";
import { err, ok, type Result } from "../lib/result.ts";
import type { Limits } from "../settings/limits.ts";
import { badRequest, headersTooLarge, type Problem, tooLarge, unsupportedEncoding } from "./problem.ts";

/** The whole body, inflated, or a 413: no more than the limit is read into memory. */
export async function readBody(request: Request, maxBytes: number): Promise<Result<ArrayBuffer, Problem>> {
  const refused = err(tooLarge("the request body", maxBytes));
  const encoding = request.headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (encoding !== "" && encoding !== "identity") return inflated(request.body, encoding, maxBytes);
  const announced = request.headers.get("content-length");
  if (Number(announced ?? 0) > maxBytes) return refused;
  // Its length is known, so it is read in one go; the actual length is checked too.
  if (announced !== null || request.body === null) {
    const whole = await request.arrayBuffer();
    return whole.byteLength > maxBytes ? refused : ok(whole);
  }
  const whole = await readBounded(request.body as ReadableStream<Uint8Array>, maxBytes);
  return whole ? ok(whole.buffer) : refused;
}

async function inflated(
  body: Request["body"],
  encoding: string,
  maxBytes: number,
): Promise<Result<ArrayBuffer, Problem>> {
  if (encoding !== "gzip" && encoding !== "deflate") return err(unsupportedEncoding(encoding));
  try {
    const stream = body?.pipeThrough(new DecompressionStream(encoding)) as ReadableStream<Uint8Array> | undefined;
    const whole = await readBounded(stream ?? null, maxBytes);
    return whole ? ok(whole.buffer) : err(tooLarge("the request body, inflated,", maxBytes));
  } catch {
    return err(badRequest("content-encoding", `the body is not ${encoding}, as \`content-encoding\` says`));
  }
}

export async function readText(request: Request, maxBytes: number): Promise<Result<string, Problem>> {
  const bytes = await readBody(request, maxBytes);
  return bytes.ok ? ok(new TextDecoder().decode(bytes.value)) : bytes;
}

/** Bytes of a credential: a longer one is refused unread. */
const MAX_CREDENTIAL_BYTES = 8 * 1024;

export function checkHeaders(headers: Headers, { maxHeaderBytes }: Limits): Problem | undefined {
  for (const name of ["authorization", "x-upstream-authorization"]) {
    const length = headers.get(name)?.length ?? 0;
    if (length > MAX_CREDENTIAL_BYTES)
      return headersTooLarge(`the header \`${name}\` is`, MAX_CREDENTIAL_BYTES, "token_too_large");
  }
  let bytes = 0;
  for (const [name, value] of headers) bytes += name.length + value.length;
  return bytes > maxHeaderBytes ? headersTooLarge("the headers together are", maxHeaderBytes) : undefined;
}
