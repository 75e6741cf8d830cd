/** Orders to forget earlier orders, in the words that everybody uses: they are found however few words stand around them. Pure. */
import { lazyRegExp } from "../../lib/once.ts";

/** Small classes: `\\p{L}` in each word made the expression take 150 ms to compile. */
const LETTER = "[\\w\\u00c0-\\u024f\\u0370-\\u052f\\u0600-\\u06ff\\u0900-\\u097f\\u1e00-\\u1eff]";
const BEGIN = `(?<!${LETTER})`;
const END = `(?!${LETTER})`;

/** Lines are broken anywhere. */
const overrides = lazyRegExp(
  [
    `${BEGIN}(?<!not |n['’]t )(?:ignore|disregard|forget|override|bypass|do not follow|stop following) (?:(?:all|any|everything|of|the|your|my|these|those|other|and) ){0,4}(?:previous|prior|earlier|above|preceding|original|former|initial|existing|system|user['’]?s?)(?: (?:and|or) ${LETTER}{1,15})? ?(?:instructions?|prompts?|rules|directions|guidelines|orders|messages?|requests?|tasks?|commands?|questions?)`,
    `${BEGIN}(?:ignore|disregard|forget) (?:all|everything)(?: of)?(?: the| your)? (?:instructions |rules |orders )?(?:above|before|you (?:were|have been) told)`,
    `${BEGIN}(?:ignore|disregard) (?:the|your) user(?:${END})(?! (?:agent|interface|input|name))`,
    `${BEGIN}ignoriere?n?(?: Sie)? (?:bitte )?(?:alle|die|den|deine|Ihre|sämtliche)? ?(?:bisherigen?|vorherigen?|vorigen?|obigen?|früheren?|Nutzer|Benutzer|Anweisungen|Vorgaben)${END}`,
    `${BEGIN}(?:vergiss|vergessen Sie) (?:alle |die |deine )?(?:bisherigen?|vorherigen?|vorigen?|obigen?|früheren?)`,
    `${BEGIN}(?:ignor[ae]n?|olvid[ae]n?|descart[ae]) (?:todas? )?(?:las?|los?|tus|sus) (?:instrucciones|indicaciones|órdenes|reglas|peticion(?:es)?)(?: (?:anteriores|previas|del usuario|de arriba))`,
    `${BEGIN}(?:ignore[zr]?|oublie[zr]?|ne tiens plus compte|ne tenez (?:plus|pas) compte) (?:de )?(?:toutes )?(?:les |des |tes |vos )?(?:instructions|consignes|directives|règles)(?: (?:précédentes|antérieures|ci-dessus|de l['’]utilisateur))`,
    `${BEGIN}(?:ignor[ae]|esqueç[ae]|desconsidere) (?:todas )?(?:as|os|suas|tuas) (?:instruções|orientações|ordens|regras)(?: (?:anteriores|prévias|acima|do usuário|do utilizador))`,
    `${BEGIN}(?:ignora|dimentica|tralascia) (?:tutte )?(?:le|gli|i|tue) (?:istruzioni|indicazioni|regole|ordini)(?: (?:precedenti|dell['’]utente|di prima))`,
    `${BEGIN}negeer (?:alle |de )?(?:vorige|eerdere|bovenstaande|vraag van de gebruiker|instructies van)`,
    `игнориру${LETTER}+ (?:все )?(?:предыдущие|прежние|инструкции)|zignoruj (?:wszystkie )?(?:poprzednie|wcześniejsze)|önceki (?:tüm )?talimatları (?:yok ?say|unut)|bỏ qua (?:mọi|tất cả|các) (?:hướng dẫn|chỉ dẫn)|تجاهل (?:جميع |كل )?(?:التعليمات|الأوامر)|पिछले (?:सभी )?निर्देश`,
    "(?:忽略|无视|無視|忘记|不要理会)(?:掉)?(?:之前|以上|前面|先前|此前|上述|所有|用户|使用者)[^。\\n]{0,8}(?:指示|指令|说明|要求|规则|提示|命令|问题)",
    "(?:これまで|以前|上記|前|今まで|ユーザー|先ほど)の?[^。\\n]{0,8}(?:指示|命令|ルール|指令|質問|依頼)[^。\\n]{0,6}(?:無視|忘れ|従わ)",
    "(?:이전|위|앞)의? ?(?:모든 )?(?:지시|명령|지침)[^.\\n]{0,8}(?:무시|잊)",
  ]
    .join("|")
    .replaceAll(" ", "\\s"),
  "i",
);

/** Plain words, one of which is in each text that the expression may find: they are found twenty times as fast. */
const words = lazyRegExp(
  "ignor|disregard|forget|overrid|bypass|following|do not follow|vergi?ss|vergess|olvid|descart|oublie|ne t(?:iens|enez)|esque[çc]|desconsid|dimentic|tralasc|negeer|игнор|zignoruj|talimat|bỏ qua|تجاهل|निर्देश|忽略|无视|無視|忘|不要理会|従わ|무시|잊",
  "i",
);

/** @param text without what it cites. @returns where such an order stands; -1 where none does. */
export const overrideAt = (text: string): number => (words().test(text) ? text.search(overrides()) : -1);
