/** Number words of nine languages, in lower case. A text is read by all of them, so `zero` is only in one of them. Pure data. */

type Language = "en" | "de" | "nl" | "es" | "fr" | "it" | "pt" | "pl" | "ru";

export interface NumberLanguage {
  /** `value:word,word` and so on. A multiplier that is also a number (`mil`) is here too. */
  readonly values: string;
  /** Words for 1 that are also articles or pronouns. */
  readonly ones: string;
  readonly multipliers: string;
  /** Between two words of one number. */
  readonly joiner?: string;
  /** Joins parts within one word; absent if numbers are not written as one word. */
  readonly glue?: string;
}

export const NUMBER_WORDS: Readonly<Record<Language, NumberLanguage>> = {
  en: {
    values:
      "0:zero 2:two 3:three 4:four 5:five 6:six 7:seven 8:eight 9:nine 10:ten 11:eleven 12:twelve 13:thirteen 14:fourteen 15:fifteen 16:sixteen " +
      "17:seventeen 18:eighteen 19:nineteen 20:twenty 30:thirty 40:forty 50:fifty 60:sixty 70:seventy 80:eighty 90:ninety",
    ones: "one a",
    multipliers: "2:couple 12:dozen 100:hundred 1000:thousand 1000000:million,millions 1000000000:billion,billions",
    joiner: "and",
  },
  de: {
    values:
      "0:null 1:eins 2:zwei,zwo 3:drei 4:vier 5:fünf,fuenf 6:sechs 7:sieben 8:acht 9:neun 10:zehn 11:elf 12:zwölf,zwoelf 13:dreizehn 14:vierzehn " +
      "15:fünfzehn,fuenfzehn 16:sechzehn 17:siebzehn 18:achtzehn 19:neunzehn 20:zwanzig 30:dreißig,dreissig 40:vierzig 50:fünfzig,fuenfzig " +
      "60:sechzig 70:siebzig 80:achtzig 90:neunzig 100:hundert 1000:tausend",
    ones: "ein eine",
    multipliers: "12:dutzend 100:hundert 1000:tausend 1000000:million,millionen 1000000000:milliarde,milliarden",
    glue: "und",
  },
  nl: {
    values:
      "0:nul 1:één 2:twee 3:drie 4:vier 5:vijf 6:zes 7:zeven 8:acht 9:negen 10:tien 11:elf 12:twaalf 13:dertien 14:veertien 15:vijftien 16:zestien " +
      "17:zeventien 18:achttien 19:negentien 20:twintig 30:dertig 40:veertig 50:vijftig 60:zestig 70:zeventig 80:tachtig 90:negentig " +
      "100:honderd 1000:duizend",
    ones: "een",
    multipliers: "12:dozijn 100:honderd 1000:duizend 1000000:miljoen",
    glue: "en ën",
  },
  es: {
    values:
      "0:cero 2:dos 3:tres 4:cuatro 5:cinco 6:seis 7:siete 8:ocho 9:nueve 10:diez 11:once 12:doce 13:trece 14:catorce 15:quince " +
      "16:dieciséis,dieciseis 17:diecisiete 18:dieciocho 19:diecinueve 20:veinte 21:veintiuno,veintiún,veintiuna 22:veintidós,veintidos " +
      "23:veintitrés,veintitres 24:veinticuatro 25:veinticinco 26:veintiséis,veintiseis 27:veintisiete 28:veintiocho 29:veintinueve " +
      "30:treinta 40:cuarenta 50:cincuenta 60:sesenta 70:setenta 80:ochenta 90:noventa 100:cien,ciento 200:doscientos,doscientas " +
      "300:trescientos,trescientas 400:cuatrocientos,cuatrocientas 500:quinientos,quinientas 600:seiscientos,seiscientas " +
      "700:setecientos,setecientas 800:ochocientos,ochocientas 900:novecientos,novecientas 1000:mil",
    ones: "un uno una",
    multipliers: "12:docena,docenas 1000:mil 1000000:millón,millon,millones",
    joiner: "y",
  },
  fr: {
    values:
      "0:zéro 2:deux 3:trois 4:quatre 5:cinq 6:six 7:sept 8:huit 9:neuf 10:dix 11:onze 12:douze 13:treize 14:quatorze 15:quinze 16:seize " +
      "20:vingt,vingts 30:trente 40:quarante 50:cinquante 60:soixante 100:cent 1000:mille",
    ones: "un une",
    multipliers:
      "12:douzaine,douzaines 100:cent,cents 1000:mille 1000000:million,millions 1000000000:milliard,milliards",
    joiner: "et",
  },
  it: {
    values:
      "2:due 3:tre,tré 4:quattro 5:cinque 6:sei 7:sette 8:otto 9:nove 10:dieci 11:undici 12:dodici 13:tredici 14:quattordici 15:quindici " +
      "16:sedici 17:diciassette 18:diciotto 19:diciannove 20:venti,vent 30:trenta,trent 40:quaranta,quarant 50:cinquanta,cinquant " +
      "60:sessanta,sessant 70:settanta,settant 80:ottanta,ottant 90:novanta,novant 100:cento 1000:mille",
    ones: "un uno una",
    multipliers: "12:dozzina,dozzine 100:cento 1000:mille,mila 1000000:milione,milioni 1000000000:miliardo,miliardi",
    glue: "uno",
  },
  pt: {
    values:
      "2:dois,duas 3:três 4:quatro 5:cinco 6:seis 7:sete 8:oito 9:nove 10:dez 11:onze 12:doze 13:treze 14:catorze,quatorze 15:quinze " +
      "16:dezesseis,dezasseis 17:dezessete,dezassete 18:dezoito 19:dezenove,dezanove 20:vinte 30:trinta 40:quarenta 50:cinquenta " +
      "60:sessenta 70:setenta 80:oitenta 90:noventa 100:cem,cento 200:duzentos,duzentas 300:trezentos,trezentas " +
      "400:quatrocentos,quatrocentas 500:quinhentos,quinhentas 600:seiscentos,seiscentas 700:setecentos,setecentas " +
      "800:oitocentos,oitocentas 900:novecentos,novecentas 1000:mil",
    ones: "um uma",
    multipliers: "12:dúzia,dúzias 1000:mil 1000000:milhão,milhões",
    joiner: "e",
  },
  pl: {
    values:
      "0:zera 2:dwa,dwie,dwóch 3:trzy,trzech 4:cztery,czterech 5:pięć,pięciu 6:sześć,sześciu 7:siedem,siedmiu 8:osiem,ośmiu 9:dziewięć,dziewięciu " +
      "10:dziesięć,dziesięciu 11:jedenaście 12:dwanaście 13:trzynaście 14:czternaście 15:piętnaście 16:szesnaście 17:siedemnaście " +
      "18:osiemnaście 19:dziewiętnaście 20:dwadzieścia 30:trzydzieści 40:czterdzieści 50:pięćdziesiąt 60:sześćdziesiąt " +
      "70:siedemdziesiąt 80:osiemdziesiąt 90:dziewięćdziesiąt 100:sto 200:dwieście 300:trzysta 400:czterysta 500:pięćset 600:sześćset " +
      "700:siedemset 800:osiemset 900:dziewięćset 1000:tysiąc",
    ones: "jeden jedna jedną jedno",
    multipliers: "12:tuzin,tuziny,tuzinów 1000:tysiąc,tysiące,tysięcy 1000000:milion,miliony,milionów",
  },
  ru: {
    values:
      "0:ноль,нуль,ноля,нуля 2:два,две,двух,двум 3:три,трех,трёх 4:четыре,четырех,четырёх 5:пять,пяти 6:шесть,шести 7:семь,семи 8:восемь,восьми 9:девять,девяти " +
      "10:десять,десяти 11:одиннадцать 12:двенадцать 13:тринадцать 14:четырнадцать 15:пятнадцать 16:шестнадцать 17:семнадцать " +
      "18:восемнадцать 19:девятнадцать 20:двадцать 30:тридцать 40:сорок 50:пятьдесят 60:шестьдесят 70:семьдесят 80:восемьдесят " +
      "90:девяносто 100:сто 200:двести 300:триста 400:четыреста 500:пятьсот 600:шестьсот 700:семьсот 800:восемьсот 900:девятьсот " +
      "1000:тысяча,тысячу",
    ones: "один одна одну одно",
    multipliers: "12:дюжина,дюжину,дюжины,дюжин 1000:тысяча,тысячу,тысячи,тысяч 1000000:миллион,миллиона,миллионов",
  },
};

const cue = (words: string) => new RegExp(String.raw`(?<!\p{L})(?:${words})(?!\p{L})`, "u");
const ENGLISH = cue("the|my|for|and|please|with|this|that|from|your|to");
const GERMAN = cue("der|das|und|nicht|ich|bitte|für|ein|eine|von");
const FRENCH = cue("les|pour|mon|mes|avec|sur|dans|est");
const PORTUGUESE = cue("não|você|uma|ao|aos|do|em|com|meu|minha");
const DUTCH_POLISH = cue("het|een|van|voor|na|nie|jest|jutro|proszę");

/** Number words that mean something else in another language, which is recognised by its small words in the text. Then they are no numbers. */
export const OTHER_MEANING: Readonly<Record<string, readonly RegExp[]>> = {
  once: [ENGLISH],
  null: [ENGLISH],
  due: [ENGLISH],
  elf: [ENGLISH],
  cent: [ENGLISH],
  cents: [ENGLISH],
  sept: [ENGLISH],
  seize: [ENGLISH],
  doze: [ENGLISH],
  venti: [ENGLISH],
  mil: [ENGLISH],
  trent: [ENGLISH],
  vent: [ENGLISH, FRENCH],
  otto: [ENGLISH, GERMAN],
  sei: [GERMAN, PORTUGUESE],
  dez: [GERMAN],
  dos: [FRENCH, PORTUGUESE],
  ten: [DUTCH_POLISH],
  sto: [cue("il|lo|di|che|per|non")],
};
