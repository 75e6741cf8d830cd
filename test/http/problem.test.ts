import { expect, test } from "vitest";
import * as problems from "../../src/http/problem.ts";

test("is OpenAI's error body", async () => {
  const response = problems.problemResponse(problems.badRequest("limit", "`limit` must be a number"));
  expect(response.status).toBe(400);
  expect(response.headers.get("content-type")).toMatch(/^application\/json/);
  expect(await response.json()).toEqual({
    error: {
      message: "`limit` must be a number",
      type: "invalid_request_error",
      code: "invalid_value",
      param: "limit",
    },
  });
});

test("says null where no parameter is at fault", async () => {
  expect(await problems.problemResponse(problems.internal()).json()).toMatchObject({ error: { param: null } });
});

test.each([
  [problems.unauthorized("c", "m"), 401, "authentication_error", ["www-authenticate", 'Bearer realm="toolgate"']],
  [problems.forbidden("c", "m"), 403, "permission_error"],
  [problems.notFound("session"), 404, "not_found_error"],
  [problems.tooLarge("the request body", 9), 413, "invalid_request_error"],
  [problems.internal(), 500, "server_error"],
  [problems.upstreamFailed("m"), 502, "upstream_error"],
  [problems.unavailable("c", "m"), 503, "server_error", ["retry-after", "5"]],
] as const)(
  "%o has its status, type and headers",
  async (problem, status, type, header?: readonly [string, string]) => {
    const response = problems.problemResponse(problem);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { type, code: problem.code } });
    if (header) expect(response.headers.get(header[0])).toBe(header[1]);
  },
);
