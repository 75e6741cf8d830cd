/** A yes with the opposite act behind it, or in a word that is a yes elsewhere, is no yes: it is asked about again. */
import { describe, expect, it } from "vitest";
import { answerInMessage } from "../../../src/approvals/answers/answer-in-message.ts";
import { resolveAnswers } from "../../../src/approvals/answers/resolve-answers.ts";
import type { Language } from "../../../src/approvals/disclosure/disclosed.ts";
import { frameText } from "../../../src/approvals/disclosure/frame.ts";
import { approvalOf } from "../samples.ts";

function readingOf(name: string, id: string, text: string, language: Language = "en"): string {
  const waiting = [approvalOf("K7QF", { traits: { name }, arguments: { id }, language })];
  const settings = { typedCode: false, now: 1_000 };
  const said = answerInMessage(text, ["K7QF"], frameText(waiting, settings));
  if (said === undefined) return "cancels";
  const resolution = resolveAnswers(said, waiting, { ...settings, language, grants: true });
  return resolution.kind === "reply" ? "asks" : resolution.answers.map(({ action }) => action).join(" ");
}

const rows: readonly (readonly [tool: string, language: Language, opposite: string, same: string])[] = [
  ["turn_off_light", "en", "yes, turn it on|turn it on|yes, light on|yes K7QF, turn it on", "yes, turn it off|yes"],
  ["turn_on_light", "en", "yes, turn it off|yes, switch off", "yes, turn it on"],
  ["pause_campaign", "en", "yes, resume it|yes, resume|start it", "yes, pause it|yes"],
  ["disable_rule", "en", "enable it|yes, enable it|activate it", "yes, disable it|yes, the rule"],
  ["cancel_order", "en", "ship it|yes, ship it", "yes, cancel it|yes, cancel the order"],
  ["stop_server", "en", "run it|yes, run it|start it|restart it", "yes, stop it|yes, stop the server"],
  ["lock_door", "en", "yes, unlock it|yes, open it", "yes, lock it|yes, lock the door"],
  ["close_account", "en", "yes, open it|yes, reopen it", "close it|yes, close the account"],
  ["delete_rule", "en", "enable it|run it", "delete it|yes, delete the rule"],
  ["disable_rule", "de", "aktiviere es|aktivieren|ja, aktiviere sie", "ja, deaktiviere sie|ja"],
  ["turn_off_light", "de", "ja, mach es an|ja, schalt es ein", "ja, ausschalten|ja"],
  ["turn_off_light", "es", "actívalo|enciéndela|sí, enciéndela", "sí"],
  ["turn_off_light", "fr", "allume-la|oui, allume-la|active-le", "oui"],
  ["turn_off_light", "ja", "有効にして|はい、オンにして", "はい"],
  ["turn_off_light", "zh", "打开|好，打开吧", "好的"],
  ["turn_off_light", "ko", "네, 켜줘", "네"],
  ["decline_invite", "en", "accept it|yes, accept it|accepted", "yes, decline it|yes|go ahead"],
  ["decline_invite", "zh", "接受|好，接受", "好的|是的"],
  ["deny_access", "en", "allow it|grant it|yes, grant it|approved", "yes, deny it|yes"],
  ["deny_access", "de", "erlauben|ja, erlauben|genehmigt", "ja"],
  ["deny_access", "es", "permítelo|sí, permítelo", "sí"],
  ["remove_access", "en", "grant it|yes, allow it", "yes, remove it|yes, remove the access"],
  ["revoke_access", "en", "grant it|allow it", "yes, revoke it|sure"],
  ["reject_request", "en", "yes, accept it|approve", "yes, reject it|do it"],
  ["reject_request", "de", "genehmigt", "ja|mach das"],
  ["reject_request", "zh", "批准", "好的"],
  ["reject_request", "ja", "承認|承認します", "はい"],
  ["reject_request", "ko", "승인", "네"],
  ["reject_request", "fr", "accepte|j'approuve", "oui"],
  ["accept_invite", "en", "yes, decline it", "accept it|approved|yes, accept it"],
  ["delete_file", "en", "yes, restart it", "approved|accept|allow it|yes, continue|yes, go on"],
  ["pause_campaign", "en", "yes, continue|let it rip|yes, keep going", "yes, go on|crack on|approved"],
  ["stop_server", "en", "let it rip|yes, continue", "yes, go on|crack on|yes, stop it|allow it"],
  ["stop_server", "de", "ja, weiter|weiter, ja|ja, mach weiter", "ja, halt ihn an|ja, halt den server an|nur zu"],
  ["start_server", "de", "ja, mach ihn aus", "nur zu|ich stimme zu"],
];

const cases = (at: 2 | 3) => rows.flatMap((row) => row[at].split("|").map((text) => [row[0], row[1], text] as const));

describe("the opposite of what the question asks", () => {
  it.each(cases(2))("lets nothing run: %s in %s, %s", (tool, language, text) => {
    expect(readingOf(tool, "x1", text, language)).not.toContain("approve");
  });

  it.each(cases(3))("is not what the question says itself: %s in %s, %s", (tool, language, text) => {
    expect(readingOf(tool, "x1", text, language)).toBe("approve");
  });

  it("is the question's own verb where that ends with a particle", () => {
    expect(readingOf("turn_on_light", "x1", "yes, turn the light on")).toBe("approve");
    expect(readingOf("turn_on_light", "x1", "yes, the light off")).not.toBe("approve");
  });

  it("is not in a value that the act stands before", () => {
    expect(readingOf("stop_job", "run-5", "yes, stop run-5")).toBe("approve");
    expect(readingOf("stop_job", "run-5", "yes, run 5")).toBe("asks");
  });
});
