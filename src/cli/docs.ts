/** `npm run docs`: writes the pages of `docs` that are made from the code, and the API's description that the gateway serves. */

import { writeGenerated } from "./build/generated-files.ts";
import { apiPage } from "./docs/api/api-page.ts";
import { openApiDocument } from "./docs/api/openapi.ts";
import { describedPolicySchema } from "./docs/described-schema.ts";
import { errorsPage } from "./docs/errors-page.ts";
import { policyPage } from "./docs/policy-page.ts";
import { settingsPage } from "./docs/settings-page.ts";

const NOTE = "<!-- Written by `npm run docs`: change src/cli/docs, not this file. -->";
const page = (text: string): string => `${NOTE}\n\n${text}\n`;

writeGenerated("npm run docs", "the generated pages of docs", () => {
  const policy = describedPolicySchema();
  return {
    "assets/openapi.json": `${JSON.stringify(openApiDocument(policy))}\n`,
    "docs/api.md": page(apiPage()),
    "docs/policy-reference.md": page(policyPage(policy)),
    "docs/settings.md": page(settingsPage()),
    "docs/errors.md": page(errorsPage()),
  };
});
