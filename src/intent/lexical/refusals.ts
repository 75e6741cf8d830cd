/**
 * How people take a wish back, put it off or wave it away without a "not": "hold off on the refund", "lass gut sein", "nada de
 * tarjetas", 算了, 結構です. As it looks in folded text. Pure.
 */
import type { Negation } from "./grammar.ts";

/** The beginning of a sentence. */
const begin = String.raw`(?:^|(?<=[.!?\n] ?))`;

const english: readonly Negation[] = [
  {
    cue: /\b(?:hold off(?: on| with)?|hold your horses(?: on| with)?|hang on with|hands off|keep (?:away|out) (?:from|of)|no need (?:to|for)|no (?:point|use|sense)(?: in)?|no call for|no more|no longer (?:want|need)|not worth|do(?:es)? not need|need(?:n't| not)|nothing (?:gets|is to be|should be|may be|must be|shall be|needs to be|will be|goes)|skip(?: the)?|rather than|doesn't need|refrain from|not (?:up for|in the mood for|in favour of)|thanks but no thanks(?: on| to)?|spare (?:me|us)|(?:can|could|will|'ll) do without|(?:anything|everything) (?:but|other than|except)|enough (?:with|of) (?:the|these|those|all|your)|sick of|tired of(?= \w+ing)|scratch (?:that|the)|scrap (?:that|the)|forget (?:about|the|that|it)|never mind(?: about)?|drop the(?= (?:\S+ ){1,3}(?:idea|thing|plan)\b)|the last thing (?:i|we) (?:need|want) is|(?:nobody|no one|noone|none of us) (?:asked|asks|wants|wanted|needs|needed|is|has|should)|(?:was|were) going to(?= .{0,60}\b(?:but|forget|never mind|leave)\b))(?=\s)/g,
    reach: "forward",
    unless: [
      { cue: /^forget/, before: /(?:n't|not|never) $/ },
      { cue: /^never mind/, after: /^ (?:the (?:cost|price|mess|typos|expense)|that\b)/ },
      { cue: /^no (?:point|use|sense)/, before: /\b(?:there is|there's|is) $/, after: /^ (?:where|that)\b/ },
    ],
  },
  {
    cue: /\b(?:changed (?:my|our) minds? (?:about|on|re)|(?:on )?second thoughts?|(?:decided|voted) against|rather (?:you|we|he|she|they|nobody|no one)(?: did)?(?:n't| not)?|rather (?:not|leave)|(?:won't|will not|wouldn't|not going to|not gonna) (?:be )?need(?:ing)?|take (?:it|that) back|didn't ask for|did not ask for|let's not|let us not|(?:i'd|i would|we'd) sooner (?:you|we|they|nobody)(?: did)?(?:n't| not)|you can (?:skip|forget(?: about)?|stop|leave out|drop)|hold on before|save (?:yourself|yourselves) the)(?=[\s,])/g,
    reach: "forward",
  },
  {
    cue: /\b(?:not interested in|(?:kindly |please )?(?:disregard|withdraw)(?= (?:the|my|our|that|what)\b)|ignore(?= (?:my|what i|the \S+ i)\b)|(?:you|u|they|he|she) (?:can|may|might as well) (?:stop|quit|skip|forget(?: about)?|leave out|drop)|(?:i|we) never (?:asked|said|wanted|told you|meant)|take back what i said|veto on|abort|belay|nvm(?: on| about)?)(?=\s)/g,
    reach: "forward",
  },
  {
    cue: /\b(?:(?:is|are|was|were) (?:not|never) to (?=be\b|go\b|get\b)|(?:needn't|need not|(?:does|do)(?:n't| not) need to) (?:be|go|have)\b|(?:can|may|should) (?:slide|stay (?:shut|closed|as|where|put|off))\b|(?:is|are) (?:out of the question|off the cards|called off|declined)\b|not to (?:go through|go out|be)\b|a miss(?= (?:this|for|today|tonight)\b|[.!]|$)|was a mistake\b|(?:no,? (?:thanks|thank you)|hard pass)(?=[ ,.!]*(?:$|[.!?\n])))/g,
    reach: "back",
  },
  // "Nothing to save today": at the beginning of a sentence.
  {
    cue: new RegExp(
      String.raw`(?:${begin}nothing|\bnothing (?:here|left|new|else)) to(?= (?!do\b|worry|lose|see|wear|eat|hide)\p{L})`,
      "gu",
    ),
    reach: "forward",
  },
  {
    cue: /\b(?:nobody|no ?one|no-one) (?:should|may|must|shall|gets to|is (?:allowed )?to|has to|needs to)\b/g,
    reach: "forward",
  },
  // "Leave the hedge alone", "keep this out of the album": the refused thing is inside.
  {
    cue: /\bleave(?= (?:\S+ ){1,6}?(?:alone|be|out|aside|for now|till|until|open|untouched|unchanged|as (?:it|they)|where (?:it|they))\b)/g,
    reach: "forward",
  },
  { cue: /\bkeep(?= (?:\S+ ){1,4}?(?:off|out of|away from|untouched|unchanged|as (?:it|they))\b)/g, reach: "forward" },
  {
    cue: /\b(?:let|hold)(?= (?:the|that|this|my|our|his|her|their) (?:\S+ ){1,4}?(?:sit|rest|back)\b)/g,
    reach: "forward",
  },
  // "Hold the refund": an act that goes out waits.
  {
    cue: new RegExp(
      String.raw`${begin}(?:please |pls |ok |wait,? )?hold(?= (?:the|that|this|those|his|her|their|my|our) (?:\p{L}+ )?(?:refund|payment|transfer|invoice|order|shipment|parcel|e-?mail|message|letter|reply|post|release|deploy\w*|merge|push)s?\b)`,
      "gu",
    ),
    reach: "forward",
  },
  // "The repair can wait", "the picnic is off", "the crossword isn't necessary".
  {
    cue: /\b(?:can wait|(?:is|are|stays?) off(?: the table)?(?=[ ,.!]*(?:$|[.,;!]))|(?:is not|isn't|are not|aren't|not) (?:necessary|needed|wanted|required)|(?:is|are) unnecessary|won't be (?:needed|necessary)|(?:has|have) no business(?: being)?|over my dead body|stays? (?:(?:just|exactly) )?(?:as (?:it|they|is)|where (?:it|they)|put|untouched|unchanged|open)\b)/g,
    reach: "back",
  },
  // "Flashcards? Hard pass": the answer to one's own question.
  {
    cue: new RegExp(
      String.raw`${begin}[^.!?\n]{1,80}\? ?(?:hard pass|no,? (?:thanks?|thank you|way|chance)|nope|nah|not (?:today|now|again|tonight|a chance|for me|before|until|till|yet)|i'll pass|please no|god no)\b`,
      "g",
    ),
    reach: "within",
  },
];

const german: readonly Negation[] = [
  { cue: /\b(?:niemand|keiner) (?:soll(?:te)?|darf|muss)\b/g, reach: "forward" },
  // The verb, or its other half, is at the end: "die Notizen bitte nicht löschen", "führ das nicht aus".
  {
    cue: new RegExp(
      String.raw`${begin}(?:(?!\b(?:warum|wieso|wenn|falls|dass|weil|ob|damit|was|wie|vergiss(?! es,)|kann|kannst|konn\w+|will|wollen|wollte|mag|geht|lasst|la(?:ss|ß)t|wei(?:ss|ß)|hat|haben|habe|hab|ist|sind|wird|wurde\w*|darf ich|soll ich)\b)[^.!?\n]){1,160}?\bnicht (?:(?:mehr|gleich|schon|jetzt|wieder|einfach|auch noch) ){0,2}(?:\p{L}{2,}e[rl]?n|aus|auf|ab|an|ein|weg|weiter|raus|rein|los|zusammen)(?=[ ,]*(?:$|[.,;:!?\n]))`,
      "gu",
    ),
    reach: "within",
    unless: [
      {
        cue: /^(?:der|die|das|den|ein\w*|mein\w*|es|er|sie|ich|wir|hier|da|seit|bei)\b.* (?:aus|auf|ab|an|ein|weg|weiter|raus|rein|los|zusammen)$/,
      },
    ],
  },
  {
    cue: new RegExp(
      String.raw`${begin}[^.!?\n]{1,120}?\b(?:bleib(?:t|en) (?:bitte |vorerst |erst ?mal )?(?:offen|so|liegen|stehen|unangetastet|unverandert|wie (?:sie|er|es))|will ich (?:\p{L}+ ){0,2}nichts (?:wissen|horen)|(?:halten?|lassen?) (?:wir|ich) (?:(?:erst ?mal|noch|vorerst|lieber) ){0,2}(?:zuruck|bleiben)|(?:gehst|kommst|fasst|machst|schickst) du (?:\p{L}+ ){0,2}nicht(?=[ ,]*(?:$|[.!\n])))`,
      "gu",
    ),
    reach: "within",
    unless: [{ cue: /\b(?:wenn|falls|dass|weil|ob|warum)\b/ }],
  },
  {
    cue: /(?<=^|[.,;:!?\n] ?|\bund |\baber )(?:bitte )?\p{L}+ (?:(?:bitte|mir|da|doch|blo(?:ss|ß)|ja) ){0,3}(?:nichts|nix) (?:an|am|im|in|mit|vo[nm]|zu[rm]?|davon|daran)\b[^.,;:!?\n]{0,60}/gu,
    reach: "within",
    unless: [
      {
        cue: /^(?:bitte )?(?:hab|habe|find|finde|wei(?:ss|ß)|seh|sehe|ist|gibt|wurde|versteh|verstehe|merke?|hier|da|es|ich|bisher|noch)\b/,
      },
    ],
  },
  { cue: /\b(?:nichts (?:verloren|zu suchen)|soll davon nichts)\b/g, reach: "back" },
  {
    cue: /\b(?:lass(?:t|en wir)? (?:mal |es )?gut sein mit|(?:die )?(?:finger|pfoten) weg (?:von|vom)|nicht mehr notig|lass(?:t)? (?:blo(?:ss|ß) |bitte )?die finger (?:von|vom)|hande weg (?:von|vom)|spar(?:t)? (?:dir|euch|uns)|schluss mit|hor (?:bitte |endlich |doch |mal )?auf,?|genug (?:von|mit)|alles(?:,)? (?:au(?:ss|ß)er|nur)|verschon(?:e)? mich mit|keine lust auf|absehen von|anders uberlegt(?: mit)?)(?=\s)/g,
    reach: "forward",
  },
  {
    cue: /\bvergiss (?=(?:das mit|die sache mit|den|die|das|es)\b)/g,
    reach: "forward",
    unless: [{ after: /\bnicht\b/ }],
  },
  { cue: /\blass(?:t|en wir)?(?= (?:\S+ ){1,6}?(?:in ruhe|bleiben|sein|weg|liegen)\b)/g, reach: "forward" },
  {
    cue: /\b(?:nix|nichts)(?= (?:zu )?\p{L}+en\b)/gu,
    reach: "forward",
    unless: [{ before: /\b(?:hab|habe|finde|wei(?:ss|ß)|sehe|ist|gibt|wurde)\b/ }],
  },
  {
    cue: /\b(?:(?:hat|haben) sich erledigt|(?:halten|halte|lassen|lasse) (?:wir |ich )?(?:erst ?mal |mal |noch |vorerst ){0,2}(?:zuruck|bleiben|liegen|ruhen)|verzicht(?:e|en|et|ten)\b|(?:kannst du dir|konnen sie sich|konnt ihr euch) (?:sparen|schenken)|(?:ist|sind|ware) (?:hinfallig|uberflu(?:ss|ß)ig|unnotig)|absehen\b|(?:warten wir|wird gewartet|hat (?:noch )?zeit|kann warten))/g,
    reach: "back",
  },
];

const spanish: readonly Negation[] = [
  { cue: /\bnadie (?:debe(?:ria)?|puede|tiene que)\b/g, reach: "forward" },
  // "De borrar nada": the verb is in the middle.
  { cue: /\bde \p{L}+r(?:l[oae]s?)? nada\b/gu, reach: "within" },
  {
    cue: /\b(?:nada de|basta (?:ya )?(?:de|con)|(?:para|deja|dejate) (?:ya )?(?:de|con)|dejalo ya con|ni se te ocurra|(?:quita|aparta) las manos de(?:l)?|abstente de|ni (?:entres|toques|mires)|olvida(?:te)? (?:de|lo de|del)|(?:yo )?paso de(?:l)?|ahorra(?:te|me)|cualquier cosa menos|todo menos|lo que sea menos|deja lo de(?:l)?|cambi(?:e|amos) de (?:idea|opinion)(?: con| sobre)?|prescind(?:e|o|imos) de|evita)(?=\s)/g,
    reach: "forward",
  },
  // The thing comes first and a pronoun repeats it: "el correo no lo mandes", "la lona ya no la necesito".
  {
    cue: /\b(?:no (?:me |te |se |nos )?(?:lo|la|los|las|le|les)|ni (?:lo|la|los|las)|ni (?:entres|toques|mires)|(?:dejal[oa]s?|dejame(?:l[oa]s?)?) (?:para|estar)|no va (?:en|al)|no (?:te|se|os) (?:met|acer|conect)\p{L}*)\b/gu,
    reach: "back",
    backUnless: /\b(?:porque|por que|que|si|cuando|como)\b/,
  },
  // "Tarjetas no, por favor", "el examen hoy no".
  {
    cue: new RegExp(
      String.raw`${begin}(?!(?:creo|por|claro|que|mejor|aun|todavia|ya|si|o|pues|bueno|eso|asi)\b)(?:\p{L}+ ){1,4}no(?=[,.!]|$)`,
      "gu",
    ),
    reach: "within",
    unless: [{ cue: /\b(?:que|por|si|o|y) no$/ }],
  },
];

const french: readonly Negation[] = [
  {
    cue: /\b(?:laisse(?:z)? tomber|abstiens-toi d[e']|surtout ne|pas (?:la peine|besoin) d[e']|inutile d[e']|arrete(?:z)? d[e']|ca suffit(?: avec)?|assez d[e']|tout sauf|n'importe quoi sauf|evite(?:z)? d[e']|change d'avis pour|rien a|(?:me |m'en |je )passer(?:ai)? d[eu])(?=[\s'\p{L}])/gu,
    reach: "forward",
  },
  {
    cue: /\boublie(?:z)?(?= (?:l[ea]s?|l'|ca|tout)\b)/g,
    reach: "forward",
    unless: [{ before: /\b(?:n'|ne )$/ }, { after: /\bpas\b/ }],
  },
  {
    cue: /\bn(?:e |')\p{L}+ (?:(?:surtout|plus) )?rien\b/gu,
    reach: "within",
    unless: [{ cue: /^n(?:e |')(?:a|ai|est|sai[st]|voi[st]|comprend\p{L}*|marche|trouve|y) /u }],
  },
  { cue: /\b(?:n'y (?:touche|va)|(?:on verra|ca attendra) plus tard)/g, reach: "back" },
];

const portuguese: readonly Negation[] = [
  {
    cue: /\bnao(?=\s)/g,
    reach: "forward",
    unless: [
      {
        after:
          /^\s*(?:sei|consigo|entend|lembr|tenh|pos?so|so\b|apenas|ha\b|e\b|esta\b|funciona|esque[cç]|conhe[cç]|temos|foi|vi\b)/,
      },
    ],
  },
  {
    cue: /\b(?:deixa (?:pra la|para la|quieto)|nem pensar em|nada de|chega de|para de|em vez de|sem)(?=\s)/g,
    reach: "forward",
  },
];

/** "給我", "帮我": the thing before the cue is wanted. */
const askedForBefore = /给我|給我|帮我|幫我|替我|我要|我想要|来(?:一|个|個|份|套)|請|请/;

const chinese: readonly Negation[] = [
  {
    cue: /(?:谁让你|誰讓你|谁叫你|誰叫你|用不着|用不著|没必要|沒必要|不必|犯不着|不劳|不勞|懒得|懶得|先不|除了|哪怕不|甭)/g,
    reach: "forward",
    unless: [{ cue: /^除了/, after: /^[^，。,！!]{1,12}(?:还|還|也)/ }],
  },
  // 不订了, 不退款了.
  {
    cue: /(?<![是对對错錯要])不(?=[\u4e00-\u9fff]{1,6}了(?:[，。,！!吧\s]|$))/g,
    reach: "forward",
    unless: [{ after: /^(?:行|好|见|見|错|錯|了|得了|动|動|够|夠|起)/ }],
  },
  {
    cue: /(?:不用|不要|不必|不需要|不想|别|別|先别|先別|先不|就?免了|就?省了|就?算了|先放着|先放著|先缓缓|先緩緩|以后再说|以後再說|改天再说|暂时不|暫時不|没必要|沒必要|用不着|用不著)/g,
    reach: "back",
    unless: [
      { after: /^(?:忘|客气|客氣|谢|謝|担心|擔心|急|的|人|处|處|墅|名|说|吗|嗎|太|超过|超過|只|光)/ },
      { before: /(?:要|特|区|區|級|级|个|個|分|类|類|辨|识|識|错|錯)$/ },
      { after: /(?:吗|嗎|呢)[?？]?$/ },
    ],
    backUnless: askedForBefore,
  },
];

const japanese: readonly Negation[] = [
  {
    cue: /(?:(?:は|も)(?:もう)?(?:いい|よい|結構|けっこう|大丈夫|十分|たくさん)(?:です|や|よ|わ|から|ので|んで|かな)?(?=[、。！!\s]|$)|もう(?:いい|結構|たくさん|十分)|は(?:なし|無し|パス|保留|後回し|また今度|今度|あとで|後で|そのまま)|やめ(?:とく|ておく|とき|ておき|にし|ます|よう)|しなくて|なくて(?:いい|よい|も|平気)|いらん|いらねえ|ずに(?=[、。\s]|$)|まだ待って|待ってて?(?=[、。！!\s]|$)|勘弁|遠慮|要らん|までもない|ほどじゃない|ほどではない|どころじゃない)/g,
    reach: "back",
    unless: [{ before: /(?:で|それ|これ|忘れ|わすれ|心配|気に)$/ }],
  },
  {
    cue: /(?:よりは?|じゃなくて|ではなくて)(?=[^。！!]{0,20}(?:がいい|のほうが|がほしい|が知りたい|したい))/g,
    reach: "back",
  },
];

const korean: readonly Negation[] = [
  {
    cue: /(?:(?:은|는|도|이제) ?(?:됐어|됐고|됐습니다|괜찮아|괜찮습니다|그만)|그만(?= ?(?:만들|해|보내|둬|하))|안 ?(?:해도|줘도|보내도|만들어도)|없던 ?걸로|나중에 ?하|하지 ?않아도|보류)/g,
    reach: "back",
    unless: [{ before: /(?:잊지|걱정하지|걱정) ?$/ }],
  },
];

export const refusals: readonly Negation[] = [
  ...english,
  ...german,
  ...spanish,
  ...french,
  ...portuguese,
  ...chinese,
  ...japanese,
  ...korean,
];
