/** `docs/settings.md`: every setting, checked against the names that the Worker and the programs read. Pure. */
import { kindOfSetting, programSettings, settingNames } from "../../settings/misspelt.ts";

import { table } from "./markdown.ts";
import { type SettingTopic, settingTopics } from "./setting-texts.ts";

const INTRO = `\`npm start\` reads them from the environment or a file \`.dev.vars\`, \`npm run deploy\` from the environment or
\`.deploy.vars\` (\`NAME=value\`, one a line). A wrong one stops the gateway from serving anything, and the log says which. Both
programs warn of a name that looks misspelt. A name with 🔒 is a secret: a deployment stores it as one.`;

export function settingsPage(): string {
  const problems = nameProblems(settingTopics);
  if (problems.length > 0) throw new Error(`src/cli/docs/setting-texts.ts: ${problems.join("; ")}`);
  return ["# Settings", INTRO, ...settingTopics.map(topicText)].join("\n\n");
}

function topicText({ title, text, settings }: SettingTopic): string {
  const rows = settings.map(({ name, meaning, unset }) => [
    `\`${name}\`${isSecret(name) ? " 🔒" : ""}`,
    meaning,
    unset,
  ]);
  return [`## ${title}`, ...(text === undefined ? [] : [text]), table(["setting", "for", "unless set"], rows)].join(
    "\n\n",
  );
}

const isSecret = (name: string): boolean => kindOfSetting(concrete(name)) === "secret";
const concrete = (name: string): string => name.replace("UPSTREAM_N_", "UPSTREAM_2_").replace("<NAME>", "NAME");

/** Names without a text, and texts without a setting. */
export function nameProblems(topics: readonly SettingTopic[]): string[] {
  const written = new Set(topics.flatMap(({ settings }) => settings.map(({ name }) => name)));
  const known = new Set(
    [...settingNames, ...programSettings].map((name) => name.replace(/^UPSTREAM_\d_/, "UPSTREAM_N_")),
  );
  return [
    ...[...known].filter((name) => !written.has(name)).map((name) => `say what \`${name}\` is for`),
    ...[...written]
      .filter((name) => !known.has(name) && name !== "SECRET_<NAME>")
      .map((name) => `\`${name}\` is no setting: remove it`),
  ];
}
