/**
 * The probabilities from which the trained models decide, all set by hand. The figures are those of the open half of the bench (`npm run
 * bench:intents -- --everyday`, 1,396 sentences) and of its 140 answers to proposals, with a value 0.1 lower and one 0.1 higher. "No change": no
 * sentence there depends on it, and the examples in the tests are the only ground for it.
 */

// The model of wishes (`wishOf`): shares of a request, a question, a statement, a quotation and a refusal.

/** A candidate is asked for by the words around it, if no trained layer judges it or its pattern is firm. No change: the bench has a layer. */
export const ASKED_AT = 0.4;
/** Likewise by its sentence as a whole. No change, for the same reason. */
export const SENTENCE_ASKED_AT = 0.6;
/** With less of a request in its most wishful sentence, a message tells or asks: only sure intents count. 0.25: 3 of 660 more right; 0.45: 1 less. */
export const WISHES_AT = 0.35;
/** From this share of a statement on, a message tells, however sure the intent is. 0.45: 3 of 660 less right, 1 mention less; 0.65: no change. */
export const TELLS_AT = 0.55;
/** With less of a request, a message asks for nothing. 0.05: it does in 45 of 280 mentions fewer; 0.25: in 14 of 660 requests more. */
export const ASKED_BELOW = 0.15;
/** From this share of a refusal on, a message refuses. 0.4: 3 requests of 660 more ask for nothing; 0.6: 2 refusals of 166 fewer do. */
export const REFUSED_AT = 0.5;
/** From this share of a request on, the rest beside a refusal asks: "don't cancel it, move it to Friday". 0.4: 7 refusals of 166 less; 0.6: 8 more. */
export const REST_ASKED_AT = 0.5;
/** From this share of a request on, an answer has a wish of its own: "ok, refund it", "no: send it to Bob". No change. */
export const OWN_WISH_AT = 0.5;
/** From this share of a quotation on, the policy's words in a message are quoted. No change. */
export const WORDS_QUOTED_AT = 0.5;
/** Likewise on average over a sentence, if only its meaning is known. No change. */
export const SENTENCE_QUOTED_AT = 0.45;

// The model of refusals (`refusalShare`): answers to proposals, 70 of which refuse.

/** 0.35: 58 refusals heard and 8 others taken for one; 0.45: 56 and 5; 0.55: 51 and 3. A wrong one costs a question. */
export const REFUSES_AT = 0.45;
/** If the answer begins as an order does: "let me check with Sam first". No change. */
export const ORDER_REFUSES_AT = 0.8;

// The model of changes (`changeShare`).

/** With less, a message holds every change back. Of 108 that do and 108 others: 89 and 3; 0.15: 83 and 1; 0.35: 98 and 4. A wrong one costs a question. */
export const HOLDS_BACK_BELOW = 0.25;

// The model of continuations (`continuationOf`): 140 messages that go on with a task, and 147 that do not.

/** Goes on with the task if it asks for nothing else. 0.43: 135 kept and 6 wrong; 0.53: 132 and 3; 0.63: 128 and 3. */
export const CONTINUES_AT = 0.53;
/** Likewise if the message half sounds like an intent (`SOUNDS_LIKE_ONE_AT`). 0.7: 1 new message more is wrong; 0.9: 1 fewer kept. */
export const SURELY_CONTINUES_AT = 0.8;
/** Likewise if the trained layer hears the task's intent in it. No change; the figure of its commit: 1 of 100 go-aheads more is kept. */
export const MAY_CONTINUE_AT = 0.4;
/** Goes on with the task, also if it asks for something else. 0.65: 1 more is kept; 0.85: no change. As a go-ahead: 32 of 70, none of 220 others. */
export const KEEPS_AT = 0.75;
/** A short message has its meaning from the one before it ("15 of them"). 0.6: no change; 0.8: 2 fewer kept, and 2 fewer wrong. */
export const ANSWERS_AT = 0.7;
/** Go-aheads after which a person is asked, where a call would be refused. 0.4: 42 of 70 and 3 of 220 others; 0.5: 40 and 1; 0.6: 39 and none. */
export const AGREES_AT = 0.5;
/**
 * An answer that is in no list sounds like a yes, and is asked about again. Of 68 forms of a yes that neither list nor bound was chosen by 50
 * cancel nothing; of 35 other messages 29 do.
 */
export const YES_AT = 0.6;
/** An order has a wish of its own, and may be the call's: "hit send", "weg damit". */
export const ORDERS_YES_AT = 0.8;

// The trained layer of a policy: its confidence in an intent. 660 requests.

/** Selects an intent if neither the policy nor its trained layer has a value of its own. */
export const DEFAULT_SELECT_AT = 0.9;
/** Below, the user wants none of the intents, and no slower layer is called: it would cost a request to a model. */
export const GREY_FROM = 0.2;
/** From here on a message half sounds like an intent. No change. */
export const SOUNDS_LIKE_ONE_AT = 0.4;
/** From here on the words of the assistant's offer are about the intent. The bench has no offers. */
export const OFFERED_AT = 0.5;
/** Below, an intent selects nothing, and is not doubted. No change. */
export const UNSURE_BELOW = 0.5;
/** Below, an intent heard by meaning beside quoted words is taken for their echo. 0.75: no change; 0.95: 6 less right, 1 unasked less. */
export const BESIDE_QUOTED_AT = 0.85;
/** Likewise beside quoted lines, which leave little of the message to the user. 0.85: 1 of 69 quoted instructions unlocks; always: no change. */
export const BESIDE_QUOTED_LINES_AT = 0.95;
/** From here on an intent counts without a request in the message. 0.8: 2 more right, 1 unasked and 1 mention more; 1: 11 less right. */
export const SURE_AT = 0.9;
/** From here on meaning alone adds an intent to a surer one. 0.8: 3 less right, 3 unasked more; 1: 14 less right, 2 unasked less. */
export const FURTHER_AT = 0.9;
