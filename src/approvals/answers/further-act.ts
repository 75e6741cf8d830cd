/**
 * Whether the wish beside a yes is for an act after the call, which leaves the call as it is: somebody is informed, something is looked up,
 * or something new is booked. The call runs for such a yes, so only what is plainly one of these counts. Pure.
 */
import { once } from "../../lib/once.ts";
import type { Approval } from "../approval.ts";
import { type Act, type AskedWords, askedBy, isWithin, means, stemsOf, UNSPACED, wordsIn } from "./acts.ts";
import { fillers, UNSPACED_FILLERS, withoutStems } from "./repeats-question.ts";

interface Further {
  /** Beginnings of its words. Fewer than in `src/lib/acts`: the call runs beside them, so only what is plainly another act counts. */
  readonly words: string;
  /** Calls whose own act it may mean, or change. */
  readonly never: readonly Act[];
}

const TELL: Further = {
  words: `tell inform notify remind let|know sag bescheid informier benachricht erinner avis dile cuenta recuerd notific
    previen preven dis rappel 告诉 告訴 通知 提醒 知らせ 伝え 教え 連絡 알려 연락`,
  never: ["send", "publish"],
};
const WRITE: Further = {
  words: "write text email mail message schreib escrib ecri",
  never: ["send", "create", "update", "publish"],
};
/** Of money or of the thing itself too: what is sent must be named. */
const SEND: Further = {
  words: "send forward schick send leit envi mand pas envoi 发 發 寄 送 보내",
  never: WRITE.never,
};
/** Not "check", "find" or "read": who wants that may want it before the call. */
const LOOK: Further = {
  words: `show list explain summar see zeig list erklar fass muestr ensen explic resum list montr affich expliqu
    列出 解释 解釋 总结 總結 見せ 説明 보여 설명 요약`,
  never: [],
};
const BOOK: Further = {
  words: "book schedule reserve buch reservier vereinbar reserv agend planifi 预约 預約 预订 预定 予約 예약",
  never: ["book", "create", "update", "move", "pay", "refund"],
};

/** Somebody is to come, or to be seen: also beside a call about money, whose "book it" may mean the account. */
const MEET: Further = { words: BOOK.words, never: ["book", "create", "update", "move"] };
const MEETINGS = `appointment room table slot visit meeting checkup check-up followup follow-up termin zimmer tisch besuch besprechung kontrolle
  nachkontrolle cita habitacion mesa visita reunion rendez-vous rendez rdv chambre reunion 预约 預約 房 会议 會議 桌 予約 部屋 会議 席 예약 방 회의 자리`;
const PEOPLE_BOOKED = new Set("her him them me us sie ihn ihr ihm mich uns la le les nous".split(" "));
const DAYS = new Set(
  `monday tuesday wednesday thursday friday saturday sunday today tomorrow tonight montag dienstag mittwoch donnerstag freitag samstag sonntag heute
  morgen ubermorgen lunes martes miercoles jueves viernes sabado domingo hoy manana lundi mardi mercredi jeudi vendredi samedi dimanche
  demain`.split(/\s+/),
);

/** What is sent that is no money, and not what the call is about. */
const MESSAGES = `confirmation mail email message receipt note text sms reminder summary update heads
  bestatigung bestatigungsmail mail nachricht quittung beleg erinnerung info
  confirmacion correo mensaje recibo recordatorio recu courriel message rappel
  邮件 郵件 确认 確認 消息 收据 短信 信 提醒 メール 領収書 連絡 お知らせ 메일 확인 영수증 문자 메시지 알림`;

const stems = (words: string): readonly string[] => words.split(/\s+/);
const meetings = once(() => stems(MEETINGS));
const furtherActs = once(() =>
  [TELL, WRITE, SEND, LOOK, BOOK, MEET].map((act) => ({ ...act, stems: stems(act.words) })),
);
const messages = once(() => stems(MESSAGES));

/** Words before the verb: the act comes after the call. */
const AFTERWARDS = new Set(
  "then afterwards after also quickly dann danach anschliessend hinterher auch kurz noch luego despues tambien puis ensuite apres aussi".split(
    " ",
  ),
);
const AFTERWARDS_UNSPACED = /^(?:然后|然後|之后|之後|再|顺便|順便|そして|それから|それと|あと|그리고|그다음에?)/u;

/** In words, and in letters of languages without blanks. */
const MAX_WORDS = 12;
const MAX_UNSPACED = 24;
/** Letters that none of the lists explains: a name. */
const MAX_NAME = 4;

/** @param wish one clause in plain words. */
export function isFurtherAct(wish: string, approval: Approval): boolean {
  const question = askedBy(approval);
  // Nobody knows what such a call does: the wish may be about it.
  if (question.acts.size === 0) return false;
  const words = wordsIn(wish.replace(PHONE, " "));
  // A number may be the amount, or the time, that the call should have.
  if (words.length > MAX_WORDS || words.some((word) => /\p{N}/u.test(word) && !question.questionWords.includes(word)))
    return false;
  const isOpen = ({ never }: Further) => !never.some((act) => question.acts.has(act));
  const unspaced = words
    .filter((word) => UNSPACED.test(word))
    .join("")
    .replace(AFTERWARDS_UNSPACED, "");
  if (unspaced !== "") return isUnspacedAct(unspaced, isOpen);
  const at = words.findIndex((word) => !fillers().has(word) && !AFTERWARDS.has(word));
  const [verb = "", object = ""] = words.slice(at);
  const act = furtherActs().find((one) => isOpen(one) && one.stems.some((stem) => means(verb, stem, words)));
  if (act === undefined || TAKES_CALL.has(object) || /l[ao]s?$/.test(verb)) return false;
  if (act.words === BOOK.words && act.never === MEET.never) return isMeeting(words, object, question);
  if (act.words !== SEND.words) return true;
  return words.some((word) => messages().some((stem) => means(word, stem, words)));
}

/** A number to call. No amount begins with a nought or a plus, and is as long. */
const PHONE = /(?<![\p{L}\p{N}.,])(?:\+|00?)(?:[ ()-]{0,2}\d){9,16}(?![\p{L}\p{N}.,:/])/gu;

function isMeeting(words: readonly string[], object: string, { acts, questionWords }: AskedWords): boolean {
  const own = stemsOf(acts);
  if (
    words.some(
      (word) => (questionWords.includes(word) && !fillers().has(word)) || own.some((stem) => means(word, stem, words)),
    )
  )
    return false;
  const names = words.some((word) => meetings().some((stem) => means(word, stem, words)));
  return names || (PEOPLE_BOOKED.has(object) && words.some((word) => DAYS.has(word)));
}

/** Behind the verb they may stand for what the call is about: "send it to Anna". */
const TAKES_CALL = new Set(
  "it this that these those them das es ihn sie lo la los las le les ca cela tout todo alles".split(" "),
);

function isUnspacedAct(text: string, isOpen: (act: Further) => boolean): boolean {
  if (text.length > MAX_UNSPACED || CHANGES.test(text)) return false;
  const within = furtherActs().filter(({ stems: all }) => all.some((stem) => isWithin(text, stem)));
  if (within.length === 0 || !within.every(isOpen)) return false;
  const known = [...within.flatMap((act) => act.stems), ...messages()].filter((stem) => UNSPACED.test(stem));
  return withoutStems(text, known).replace(PEOPLE, "").replace(UNSPACED_FILLERS, "").length <= MAX_NAME;
}

const CHANGES = /[改换換变變加减減倍半全再]|変|바꿔|변경|추가|빼|두 ?배|절반/u;
const PEOPLE =
  /她们|他们|客户|客戶|顾客|对方|彼女|彼|お客様|お客さん|さん|様|씨|님|고객|그녀|에게|한테|一封|一下|一通|一条/gu;
