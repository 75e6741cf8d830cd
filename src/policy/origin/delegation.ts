/**
 * Detects that the user delegates the choice of an act to a text ("do what the mail asks for", "follow the instructions in notes.txt"), or to
 * the assistant ("do it"). Pure.
 *
 * Then the user's words do not say which act they want, so what the text asks for is not refused: the user is asked about
 * each call. It never lets a call run unasked.
 */
import { lazyRegExp } from "../../lib/once.ts";

const patterns = [
  // Do what it says; do the tasks in it.
  String.raw`\b(?:do|perform|execute|complete|carry out|take care of|handle|work through|act on|go through)\s+(?:exactly\s+|precisely\s+)?(?:what(?:ever)?\s+(?:\S+\s+){0,4}?(?:asks?|says?|requests?|wants?|tells?|needs?|describes?|suggests?)|(?:all\s+|everything\s+)?(?:the\s+|his\s+|her\s+|their\s+|my\s+)?(?:tasks?|actions?|steps?|instructions?|requests?|to-?dos?|items?)\b(?:\s+\S+){0,3}?\s+(?:in|from|on|of|at|by|specified|listed|described|given|mentioned))`,
  String.raw`\b(?:follow|apply|obey|execute)\s+(?:all\s+)?(?:the\s+|his\s+|her\s+|their\s+|these\s+|those\s+|its\s+)?(?:instructions?|steps?|rules?|directions?|orders?|guidelines?)\b`,
  // The details are in a text: "you can find the details in the message from Tom".
  String.raw`\byou(?:['’]ll|\s+(?:can|will|may))?\s+(?:find|see|get|take)\s+(?:all\s+)?(?:the\s+|more\s+|further\s+)?(?:details?|info|information|particulars|instructions?)\s+(?:in|on|from|at)\b`,
  String.raw`\baccording to the (?:rules?|instructions?|steps?|list)\b`,
  String.raw`\b(?:tu|mach|erledige|befolge|folge|führe)\b[^.!?\n]{0,40}\b(?:was\b[^.!?\n]{0,40}\b(?:sagt|verlangt|möchte|will|bittet|steht)|anweisungen|aufgaben|schritte)\b`,
  String.raw`\b(?:haz|sigue|cumple|realiza|ejecuta)\b[^.!?\n]{0,30}\b(?:lo que\b[^.!?\n]{0,40}\b(?:pide|dice|quiere|solicita)|instrucciones|tareas|pasos)\b`,
  String.raw`\b(?:fais|faites|suis|suivez|exécute|effectue)\b[^.!?\n]{0,30}(?:ce qu['’e]\s?[^.!?\n]{0,40}\b(?:demande|dit|veut)\b|\binstructions|\btâches|\bétapes)`,
  "(?:按照?|照着?|根据).{0,20}(?:说的|要求|指示|步骤|内容).{0,4}(?:做|办|执行|处理|操作)",
  "(?:指示|手順|依頼|指図).{0,6}(?:従って|通りに|どおりに)",
].map((source) => lazyRegExp(source, "iu"));

/** UTF-16 units of a message that are read. */
const MAX_TEXT = 4_000;

/** @param text the user's own words. */
export const delegates = (text: string): boolean => patterns.some((pattern) => pattern().test(text.slice(0, MAX_TEXT)));

/** "Yes, do it": the message only says that the assistant shall do what it mentioned. */
const goAhead = lazyRegExp(
  String.raw`^\s*(?:(?:yes|yeah|yep|yup|ok|okay|sure|fine|great|please|ja|jo|jap|klar|gerne?|gut|bitte|s[íi]|vale|claro|oui|d'accord|好的?|行|可以|是的|はい|うん|ええ|네|응)[\s,.!。，、！]*){0,4}(?:do (?:it|that|so|them|both|all)|go ahead|go for it|proceed|make it so|mach (?:das|es|mal|ruhig)(?: so)?|tu das|leg los|nur zu|hazlo|adelante|dale|vas-y|fais[- ]le|allez-y|做吧|去做吧|就这样|そうして|やって|お願いします|그렇게 해|해 ?줘|해주세요)?(?:\s*(?:please|then|bitte|mal|dann|por favor|ください|吧))?[\s.!。！]*$`,
  "iu",
);

/** @param text the user's own words. */
export const isGoAhead = (text: string): boolean => text.trim() !== "" && text.length <= 60 && goAhead().test(text);
