import { describe, expect, it } from "vitest";
import { readableLine, workerOutput } from "../../../src/cli/start/log-line.ts";

const time = new Date(2026, 10, 22, 9, 8, 7).toISOString();
const line = (fields: object) => JSON.stringify({ time, level: "info", ...fields });
const turn = {
  event: "turn",
  user: "ada",
  role: "user",
  state_closed: "action",
  intents: ["edit"],
  steps: 2,
  offered: 3,
  withheld: 1,
  decisions: [
    { tool: "write_file", effect: "allow", reasons: [] },
    { tool: "rm", effect: "deny", reasons: ["role_forbids", "mode_forbids"] },
  ],
  stop_reason: "completed",
  ms: { total: 118 },
};

describe("a line of the log in the terminal", () => {
  it("tells a turn in one short line", () => {
    expect(readableLine(line(turn))).toBe(
      "09:08:07  turn completed  ada (user)  action edit  2 steps  offered 3, withheld 1  write_file allow, rm deny (role_forbids, mode_forbids)  118 ms",
    );
  });

  it("tells which managed call was allowed and came to nothing, and why", () => {
    const undone = [
      { tool: "find_lead", status: "not_started", failure: "secret_unbound" },
      { tool: "add_lead", status: "unknown" },
    ];
    expect(readableLine(line({ ...turn, decisions: [], runs: { count: 3, failed: 1, unknown: 1, undone } }))).toContain(
      "  find_lead not started (secret_unbound), add_lead unknown  118 ms",
    );
  });

  it("tells what went wrong with a turn that could not even be opened", () => {
    const failed = { event: "turn", user: "ada", role: "user", steps: 0, stop_reason: "gateway_error", error: "gone" };
    expect(readableLine(line({ ...failed, level: "error" }))).toBe(
      "09:08:07  error  turn gateway_error (gone)  ada (user)  0 steps",
    );
  });

  it("tells a request that is no turn", () => {
    const request = {
      event: "request",
      method: "GET",
      route: "/v1/models",
      status: 200,
      user: "ada",
      ms: { total: 3 },
    };
    expect(readableLine(line(request))).toBe("09:08:07  GET /v1/models 200  ada  3 ms");
    expect(readableLine(line({ event: "request", method: "GET", status: 401 }))).toBe("09:08:07  GET (no route) 401");
  });

  it("tells any other event with its fields, also behind the mark that the runtime puts before errors", () => {
    const failed = line({ level: "error", event: "audit_delivery_failed", attempt: 2, message: "D1 is down" });
    expect(readableLine(`✘ [ERROR] ${failed}`)).toBe(
      "09:08:07  error  audit_delivery_failed  attempt: 2  message: D1 is down",
    );
  });

  it("leaves every other line as it is, broken ones of the log too", () => {
    for (const other of ["plain words", '{"time":"2026', ""]) expect(readableLine(other)).toBe(other);
  });

  it("is what a start shows once the Worker serves, and errors before", () => {
    const shown: string[] = [];
    const output = workerOutput((text) => shown.push(text));
    output.onLine("bundled", "stdout");
    output.onLine("\u001b[31mno such file\u001b[39m", "stderr");
    output.showLog();
    output.onLine("", "stdout");
    output.onLine(line(turn), "stdout");
    expect(shown).toEqual(["no such file", expect.stringMatching(/^09:08:07 {2}turn completed/)]);
    expect(output.withheld()).toEqual(["bundled"]);
  });
});
