/** `npm run policy:schema`: writes the JSON Schemas by which editors complete and check policies and their cases. */
import * as z from "zod";
import { writeGenerated } from "./build/generated-files.ts";
import { describedPolicySchema } from "./docs/described-schema.ts";
import { caseFile } from "./policy/cases/case-schema.ts";

const text = (title: string, schema: object): string => `${JSON.stringify({ title, ...schema }, null, 2)}\n`;

writeGenerated("npm run policy:schema", "policies/*.schema.json", () => ({
  "policies/policy.schema.json": text("Toolgate policy", describedPolicySchema()),
  "policies/cases.schema.json": text(
    "Toolgate policy cases",
    z.toJSONSchema(caseFile, { io: "input", target: "draft-2020-12" }),
  ),
}));
