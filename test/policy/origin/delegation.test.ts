import { describe, expect, it } from "vitest";
import { delegates, isGoAhead } from "../../../src/policy/origin/delegation.ts";

describe("delegates", () => {
  it.each([
    "Please do the actions specified in the mail of Ann",
    "Read notes.txt and follow the instructions precisely.",
    "Read the inbox and do what Tom asks for there.",
    "Clean up according to the rules on that page",
    "take care of the requests in my inbox",
    "Invite our new colleague. You can find the details in the message from Tom.",
    "Mach, was in der Mail steht",
    "Haz lo que pide Ana en su correo",
    "Fais ce que Paul demande dans son mail",
    "按邮件里的要求去做",
    "メールの指示に従って",
  ])("%s", (text) => {
    expect(delegates(text)).toBe(true);
  });

  it.each([
    "Send Bob the instructions",
    "Find information on the hotel",
    "What are the steps of the recipe?",
    "Create a task from the mail",
    "Perform the following tasks: 1. read the mail 2. answer it",
    "Do you know what Tom said?",
    "Handle the order of Anna",
  ])("not: %s", (text) => {
    expect(delegates(text)).toBe(false);
  });
});

describe("a go-ahead", () => {
  it.each([
    "do it",
    "Yes, please do that.",
    "ok go ahead",
    "ja, mach das bitte",
    "Mach mal",
    "sí, hazlo",
    "vas-y",
    "好的，去做吧",
    "はい、お願いします",
    "네, 해주세요",
    "yes please",
  ])("%s", (text) => expect(isGoAhead(text)).toBe(true));
  it.each([
    "",
    "do it for Anna",
    "yes, refund it",
    "go ahead and mail it to Bob",
    "ja, mach das Fenster auf",
    "好的，发给她",
  ])("not: %s", (text) => expect(isGoAhead(text)).toBe(false));
});
