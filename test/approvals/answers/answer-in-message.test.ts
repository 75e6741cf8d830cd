/** Messages that say more than an answer, in each language that can be answered in, and what they are read as. */
import { describe, expect, it } from "vitest";
import { answerInMessage, beginningOfMessage } from "../../../src/approvals/answers/answer-in-message.ts";
import { type ResolveSettings, resolveAnswers } from "../../../src/approvals/answers/resolve-answers.ts";
import type { Approval } from "../../../src/approvals/approval.ts";
import { readCodes } from "../../../src/approvals/codes.ts";
import { frameText } from "../../../src/approvals/disclosure/frame.ts";
import { wordsOf } from "../../../src/approvals/words/words.ts";
import { languages } from "../../../src/lib/text/languages.ts";
import { approvalOf } from "../samples.ts";
import yesAnd from "./yes-and.json" with { type: "json" };

const refund = approvalOf("K7QF", {
  traits: { name: "refund_payment" },
  arguments: { booking_id: "B-1042", amount: 120 },
});
const other = approvalOf("3M2P", { traits: { name: "delete_file" }, arguments: { path: "b.txt" } });

const calls: readonly (readonly [tool: string, args: Record<string, string | number>])[] = [
  ["refund_payment", { booking: "A-1042", amount: 129.5 }],
  ["send_email", { to: "anna@example.com", subject: "Offer" }],
  ["cancel_appointment", { date: "2026-12-14" }],
  ["create_event", { title: "Team lunch", start: "Tuesday 12:00" }],
  ["delete_file", { path: "notes/old.md" }],
  ["transfer_money", { amount: 20, to: "Ms Weber" }],
];

/** `yes`: the call runs; `changes`, `no`: another message, which begins so; `message`: any other. */
type Reading = "yes" | "deny" | "waits" | "asks" | "unread" | "which" | "typeCode" | "changes" | "no" | "message";

function readingOf(text: string, waiting: readonly Approval[] = [refund], more: Partial<ResolveSettings> = {}) {
  const codes = waiting.map(({ code }) => code);
  const said = answerInMessage(text, codes, frameText(waiting, { typedCode: false, now: 1_000 }));
  if (said === undefined) return beginningOfMessage(text) ?? "message";
  const settings = { typedCode: false, language: "en", now: 1_000, grants: true, ...more } as const;
  const resolution = resolveAnswers(said, waiting, settings);
  if (resolution.kind === "answers")
    return resolution.answers.map(({ action }) => (action === "approve" ? "yes" : action)).join(" ");
  expect(readCodes(resolution.text)).toEqual(waiting.map(({ code }) => code));
  const [begins = ""] = resolution.text.split(/[ ,:]/, 1);
  return (
    { There: "waits", That: "unread", Several: "which", Type: "typeCode", Nothing: "asks" }[begins] ?? resolution.text
  );
}

type Table = Readonly<Record<string, Partial<Record<Reading, string>>>>;

const table: Table = {
  English: {
    changes:
      "yes but for the 14th|yes, but only 100|yes, only 100|Yes, 100 instead|yes, refund only 100|yes but not today|ok, but 100|sure, but make it 100|yes K7QF but only 100|yes, and send it, but only 100|yes but|yes and only|yes but 14",
    yes: "go ahead refund it|go ahead and refund the payment|yes, thanks. whats next?|yes thanks, who is next?|yess|yeahhh|yes 120 is right|yes, the 120|yes then book her for friday|yes, and then book her a room|yes and text mrs huber 0676 5550101 that its on its way|yes and tell her +43 676 5550101|yes, and send her a confirmation|Yes please, and send her a confirmation.|yes K7QF and tell her about it|yes, K7QF, and please tell her about it|yes and let her know|yes, and email me the receipt",
    waits:
      "wait|Wait!|wait a moment|moment|hold on|hang on a second|one moment please|let me check|yes, but wait|no, wait",
    no: "no, 16|no, 90|no 12|no, 2026|no, the other booking|No. Refund B-1043.|nope, use the other card|no the other booking",
    unread:
      "ok refund it|loss|no, yes|no, actually yes|yes 100|yes. can Bob get half?|yes, thanks. did my boss agree?|yes. can you use the other card?|yes thanks, can you show me the other bookings?|yes and send a receipt for 0100 000|yes and check the amount|yes and find a cheaper one|yes then refund 100|yes, thanks. how much was it?|yes. who gets it?|yes, thanks. can you make it 100?|yes, thanks. what about tomorrow?|yes and book it on friday|yes and book 20 euros|yes and send it to 0676 5550101|yes then cancel the old one|yes, and no|yes and don't|yes and make it 100|yes and for the 14th|yes, and at 10am|yes and refund 100|yes, and refund 100 to Bob|yes and change the amount|yes and if it fails tell me|yes and nothing else|yes and stop it|yes, and cancel the old booking|yes and always do this|yes and use its values and tell her|yes, and 'delete all' please|yes, refund 400|yes and later the rest|yes and pay it to Anna|yes, and cc Anna|yes and attach the invoice|yes, and add my signature|yes, and make sure it goes to Bob|yes and name it draft|yes and delete the others too|yes, and then delete everything|yes and send 20 euros to Bob|yes, and email it to Bob",
    message:
      "ok refund 100|ok email me|when is the next appointment of Rex?|do we have an invoice of Weber?|noon|great, now show me the open invoices|no idea what that is|what is the weather|wait for the others to come|no problem, I will ask Bob|yesterday, and then some more",
    asks: "hmm how much was it again?|why do you ask?|is this the right one?|which one was it|what happens if i say no?|who gets the money?|yes and what does it cost?|yes, and can you tell her?",
  },
  Chinese: {
    changes:
      "好的，但是只退100|可以，不过只要100|行，只退100|好，但要改到14号|是的，改成100|好的，并且改成100|好的，并且只退一半吗",
    yes: "好的，谢谢。下一位是谁？|好的，120没错|是的，然后给她发短信|好的，并且给她发一封确认邮件|好，然后给她发确认信|可以，并且通知安娜",
    waits: "等一下|等等|稍等|请等一下|让我想想",
    no: "不，另一个预订|不是，是B-1043|不要，换另一个",
    unread: "不，是的|好的，谢谢。多少钱？|好的，并且不要通知她|好，并且如果失败告诉我",
    message: "今天天气怎么样？|不知道这是什么|今天天气怎么样",
    asks: "多少钱来着？|为什么问？|这是对的发票吗？",
  },
  Japanese: {
    changes: "はい、でも100だけ|はい、ただし100だけ返金して|うん、100だけ|はい、でも14日に",
    yes: "はーい|はい、ありがとう。次は誰ですか？|はい、120で合っています|はい、返金して|はい、そして彼女に確認メールを送ってください|はい、それと確認を送って|はい 、それからアンナに知らせて",
    waits: "待って|ちょっと待って|ちょっと待ってください|少々お待ちください|はい、でも待って",
    no: "いいえ、別の予約です|違う、B-1043です|いや、もう一つの方",
    unread: "いいえ、やっぱりはい|はい、そして送らないで|はい、そして100にして|はい、そしてもし失敗したら教えて",
    message: "今日の天気はどうですか？|今日の天気は",
    asks: "いくらでしたっけ？|なぜ聞くのですか？|これは正しい請求書ですか？",
  },
  Korean: {
    changes: "네, 근데 100만|네, 하지만 100만 환불해 주세요|네, 다만 14일로|응, 100만 환불해",
    yes: "네, 그리고 그녀에게 확인 메일 보내줘",
    waits: "잠깐|잠깐만|잠깐만요|잠시만요|기다려 주세요",
    no: "아니요, 다른 예약이요|아니, B-1043|아뇨, 다른 거요",
    unread:
      "네, 그리고 보내지 마|네, 그리고 100으로 바꿔줘|네, 그리고 만약 실패하면 알려줘|네 그리고 전부 삭제해|네, 그리고 노트 만들어줘",
    message: "오늘 날씨 알려줘",
  },
  Spanish: {
    changes: "sí, pero solo 100|sí, pero para el 14|Sí, solo 100|sí pero cámbialo al 14|vale, pero 100",
    yes: "síii|sí 120 está bien|sí, gracias. ¿quién sigue?|sí y mándale un sms|adelante, reembolsa|sí, y envíale una confirmación|sí por favor, y mándale un correo para confirmar|sí K7QF y avisa a Ana",
    waits: "espera|un momento|espera un momento|espere|sí, pero espera",
    no: "no, la otra reserva|No, a anna.weber@kunde.de|no quiero esa, quiero la otra",
    unread:
      "no, sí|sí gracias, ¿cuánto era?|sí, y no le digas nada|sí, y a las 10|sí y cámbialo a 100|sí, y si falla dímelo|sí, y para el 14|sí, y añade mi firma",
    message: "¿qué tiempo hace en Viena?|si puedes, dime la hora|no sé qué es eso",
    asks: "¿cuánto era?|¿por qué preguntas?|¿es la factura correcta?",
  },
  German: {
    changes:
      "ja, aber nur 100|ja aber für den 14.|Ja, nur 100|ja, 100 statt 120|ja, aber erst morgen|klar, aber nur 100|ja, lieber 100",
    yes: "jaa|ja 120 stimmt|ja, die 120 stimmen|mach das, und sag ihr Bescheid|ja danke, und wer kommt als nächstes?|Ja, danke. Wer kommt als nächstes?|ja und schick ihr ne sms|ja und schick ihr ne kurze Nachricht|ja und sag der Huber 0676 5550101 Bescheid|Ja bitte, und schick ihr eine Bestätigung|ja, und schick ihr eine Bestätigung|ja K7QF und sag Anna Bescheid",
    waits: "warte|Warte mal|moment|Moment mal|einen Moment bitte|ja, aber warte",
    no: "nein, das ist ja falsch|nein, 16|ach nee, 18|nein, an anna.weber@kunde.de|Nein, die andere Buchung|nee, die andere|nein die andere",
    unread:
      "nein doch, ja|nein, doch ja|ja 100 stimmt|ja danke, und was kostet das?|ja. und wer bekommt das?|ja dann erstatte 100|ja und nicht mehr|ja und mach 100 draus|ja, und um 10 Uhr|ja und ändere den Betrag|ja, und falls es scheitert sag es mir|ja und erstatte 100|ja, und für den 14.|ja, und häng die Rechnung an|ja, und dann alles löschen|ja und lösche auch die anderen",
    message: "wann hat Rex den nächsten Termin?|wer kommt als nächstes?|warte auf die anderen|jahrelang und noch mehr",
    asks: "wieviel war das nochmal?|warum fragst du?|ist das die richtige Rechnung?|stimmt der Betrag?|ja und?",
  },
  French: {
    changes: "oui mais seulement 100|oui, mais pour le 14|Oui, seulement 100|oui, plutôt 100|d'accord, mais 100",
    yes: "oui, et envoie-lui une confirmation|Oui s'il te plaît, et envoie-lui une confirmation|oui K7QF et préviens Anna",
    waits: "attends|attendez|un instant|une minute|un moment s'il vous plaît",
    no: "non, l'autre réservation|Non, à anna.weber@kunde.de|nan, l'autre",
    unread:
      "oui, et ne lui dis rien|oui, et à 10 heures|oui et mets 100|oui, et si ça échoue dis-le-moi|oui et rembourse 100|oui, et joins la facture|oui, et puis supprime tout",
    message: "quel temps fait-il",
  },
};

const rows = Object.entries(table).flatMap(([language, readings]) =>
  Object.entries(readings).flatMap(([reading, texts]) =>
    (texts ?? "").split("|").map((text) => [language, reading, text] as const),
  ),
);

describe('a message that begins with "by the way"', () => {
  const question = "**删除 `a.txt`？** ⟦K7QF⟧";
  const actions = (text: string) => answerInMessage(text, ["K7QF"], question)?.map(({ action }) => action);

  it.each(["对了，帮我查一下天气", "对了 把标题改成周报", "對了，明天的会议几点？"])(
    "is an ordinary message: %s",
    (text) => {
      expect(actions(text)).toBeUndefined();
    },
  );

  it.each([
    ["对了", "unread"],
    ["对了，好的", "agree"],
    ["对了，删吧", "agree"],
  ])("is asked about again where it may be an answer: %s", (text, action) => {
    expect(actions(text)).toEqual([action]);
  });

  it.each(["yeah right", "perfect, off it goes", "por mí vale", "I don't see why not"])(
    "is no yes, and cancels nothing: %s",
    (text) => {
      expect(actions(text)).toEqual(["unread"]);
    },
  );
});

describe("an everyday yes, to any call", () => {
  const readings = (text: string) =>
    new Set(calls.map(([name, args]) => readingOf(text, [approvalOf("K7QF", { traits: { name }, arguments: args })])));
  const each = (texts: string) => texts.split("|");

  it.each(
    each(
      "fonce|ok fonce|bingo|ça roule|c'est parti|passt|gebongt|auf jeden fall|ok mach|abgemacht|dale|venga|órale|luz verde|no objections|sgtm|crack on|good to go|うん、それで|それでいこう|頼む|没意见|走起|妥了|콜",
    ),
  )("lets it run: %s", (text) => {
    expect([...readings(text)]).toEqual(["yes"]);
  });

  it.each(each("cool|lovely|love it|i like it|hit it|would be great|kann weg|kann raus|hit send|yas|venga mañana"))(
    "is asked about again: %s",
    (text) => {
      expect([...readings(text)]).toEqual(["unread"]);
    },
  );

  it.each(
    each(
      "top 10 songs|cool, show me more|hold fire|kann das warten|passt auf den hund auf|fonce pas|vamos al cine|dime el tiempo|play bingo|没问题再发|うん、それで次の予定は",
    ),
  )("is none: %s", (text) => {
    expect(readings(text)).not.toContain("yes");
  });
});

describe("a message that says more than an answer", () => {
  it.each(rows)("in %s is read as %s: %s", (_, reading, text) => {
    expect(readingOf(text)).toBe(reading);
  });

  it.each(languages)("keeps the question open where it is the example that the question gives, in %s", (language) => {
    const question = frameText([approvalOf("K7QF", { language })], { typedCode: false, now: 0 });
    const [, example = ""] = /`([^`]+)`/.exec(wordsOf(language).frame.stands) ?? [];
    expect(question).toContain(example);
    expect(answerInMessage(example, ["K7QF"], question)).toMatchObject([{ action: "ask" }]);
  });

  it("that wants the call otherwise lets none run, in 60 sentences; one that wishes another thing may", () => {
    const readings = yesAnd.map(({ call, kind, text }) => {
      const [name = "", args = {}] = calls[call - 1] ?? [];
      return { kind, text, reading: readingOf(text, [approvalOf("K7QF", { traits: { name }, arguments: args })]) };
    });
    const run = readings.filter(({ reading }) => reading === "yes");
    expect(run.filter(({ kind }) => kind === "amend")).toEqual([]);
    // Of 60; the others are asked about again.
    expect(run.length).toBeGreaterThanOrEqual(12);
  });

  it("is no yes to a call of which nobody knows what it does", () => {
    const unknown = approvalOf("K7QF", { traits: { name: "frobnicate" }, arguments: { text: "we come" } });
    expect(readingOf("yes, and tell her we are late", [unknown])).toBe("unread");
  });

  it("needs its code as any yes does, and has it before the and", () => {
    const typed = { typedCode: true };
    expect(readingOf("yes, and send her a confirmation", [refund], typed)).toBe("typeCode");
    expect(readingOf("yes K7QF, and send her a confirmation", [refund], typed)).toBe("yes");
    expect(readingOf("yes, and send her K7QF now", [refund], typed)).toBe("unread");
    expect(readingOf("yes, but only 100", [refund], typed)).toBe("changes");
    expect(readingOf("wait", [refund], typed)).toBe("waits");
  });

  it("is a yes to one call: the only one, or the one whose code it names", () => {
    const both = [refund, other];
    expect(readingOf("yes, and send her a confirmation", both)).toBe("unread");
    expect(readingOf("yes K7QF, and send her a confirmation", both)).toBe("yes");
    expect(readingOf("yes K7QF and then the other", both)).toBe("unread");
    expect(readingOf("yes K7QF and delete the other file", both)).toBe("unread");
    expect(readingOf("yes all and send her a confirmation", both)).toBe("unread");
    expect(readingOf("wait", both)).toBe("waits");
    expect(readingOf("no, 2", both)).not.toBe("no");
    expect(readingOf("no, 16", both)).toBe("no");
  });

  it("says by place or value which of several it is for, and is asked about again where that is not certain", () => {
    const invoice = (code: string, id: string, amount: number) =>
      approvalOf(code, { traits: { name: "refund_invoice" }, arguments: { invoice_id: id, amount } });
    const two = [invoice("K7QF", "INV-78", 240), invoice("3M2P", "INV-79", 150)];
    const read = (text: string, more?: Partial<ResolveSettings>) => [text, readingOf(text, two, more)];
    const yesAndNo =
      "1 yes, 2 no|1 yes 2 no|1: yes, 2: no|yes 1, no 2|yes to INV-78, no to INV-79|INV-78 yes, INV-79 no|first one yes, second no|yes the first, not the second|yes 240, no 150|only the first|yes, only the first|only INV-78|1 ja, 2 nein|ja zu INV-78, nein zu INV-79|die erste ja, die zweite nein|nur die erste|1 sí, 2 no|sí a INV-78, no a INV-79|la primera sí, la segunda no|solo la primera|1好，2不|第一个好，第二个不要|只要第一个|1はい、2いいえ|最初ははい、二つ目はいいえ|一つ目だけ";
    for (const text of yesAndNo.split("|")) expect(read(text)).toEqual([text, "yes deny"]);
    for (const text of "both|all|both of them|1 and 2 yes|beide|alle|ambos|las dos|两个都|両方".split("|"))
      expect(read(text)).toEqual([text, "yes yes"]);
    const unclear =
      "1 yes, 3 no|yes to INV-80, no to INV-79|only one|just one please|nur eine|只要一个|only the first half|not both|no to both|yes to INV-78 and refund INV-90 too, no to INV-79|1|yes please, no thanks|1 yes, 1 no|only 2|nur 2|si INV-78|yes INV-79 first|is INV-79 ok|call INV-78, ok";
    for (const text of unclear.split("|"))
      expect([text, /yes|deny/.test(readingOf(text, two) ?? "")]).toEqual([text, false]);
    // A place is also a value: nobody knows which is meant.
    // "k" is a yes, but no part of a customer's number.
    const customers = [invoice("K7QF", "K-3003", 240), invoice("3M2P", "K-3004", 150)];
    for (const text of ["yes to K-3003, no to K-3004", "K-3003 ja, K-3004 nein", "only K-3003", "nur K-3003 bitte"])
      expect([text, readingOf(text, customers)]).toEqual([text, "yes deny"]);
    const valued = [invoice("K7QF", "INV-78", 2), invoice("3M2P", "INV-79", 150)];
    expect(readingOf("yes 2", valued)).toBe("unread");
    for (const text of ["both", "1 yes, 2 no", "yes to INV-78, no to INV-79"])
      expect(read(text, { typedCode: true })).toEqual([text, "typeCode"]);
    const three = [...two, invoice("4M2P", "INV-80", 10)];
    expect(readingOf("both", three)).toBe("unread");
    expect(readingOf("all", three)).toBe("yes yes yes");
  });

  it("is no yes where somebody else's words may stand in it", () => {
    for (const text of ["yes, and send “delete all” to her", "yes\nand send her a mail", "> yes and send her a mail"])
      expect([text, readingOf(text)]).not.toEqual([text, "yes"]);
  });

  it("is no answer where it is long", () => {
    for (const part of ["yes and ", "yes, but ", "and ", "no ", "ja und schick ", "不", "만 "])
      expect(answerInMessage(`yes and ${part.repeat(90_000 / part.length)}`)).toBeUndefined();
  });
});
