/** `docs/errors.md`: reason codes, error codes and warnings, one anchor each. Pure. */
import { warningCodes } from "../../policy/document/policy-issue.ts";
import { errorNotes, reasonNotes } from "./error-notes.ts";
import { anchored, table } from "./markdown.ts";

const INTRO = `Codes are stable: clients, scripts and cases may rely on them. [Troubleshooting](troubleshooting.md) has the questions that
come up most.`;

const REASONS = `Why a tool was withheld, or a call was not simply allowed. They stand in \`toolgate.withheld\`, in \`toolgate.decisions\` and in
the audit record.`;

const ERRORS = `Errors have OpenAI's form, and \`docs\` names the entry of this page:

\`\`\`json
{ "error": { "message": "…", "type": "invalid_request_error", "code": "unknown_parameter", "param": "…", "docs": "docs/errors.md#unknown_parameter" } }
\`\`\`

An error of the model provider keeps its own status, message and code, and has no page. Every answer has an \`x-request-id\`.`;

export function errorsPage(): string {
  const reasons = Object.entries(reasonNotes).map(([code, { means, todo }]) => [anchored(code), means, todo]);
  const listed = new Set(Object.keys(reasonNotes));
  const sections = Object.entries(errorNotes).flatMap(([status, notes]) => [
    `### ${status}`,
    table(
      ["code", "what to do"],
      Object.entries(notes).map(([code, todo]) => [listed.has(code) ? `\`${code}\`` : anchored(code), todo]),
    ),
  ]);
  return [
    "# Errors and reason codes",
    INTRO,
    "## Reason codes",
    REASONS,
    table(["code", "means", "what to do"], reasons),
    "## Error codes",
    ERRORS,
    ...sections,
    "## Warnings of policies",
    "`npm run policy -- check` and every `PUT` of a policy give them, each with its path and what to do.",
    warningCodes.map((code) => `\`${code}\``).join(", "),
  ].join("\n\n");
}
