/**
 * Countries with their share of all LEIs, legal forms (ISO 20275 codes), places with postal codes, business registers
 * and national LEI issuers. Shares are rounded from GLEIF's public statistics.
 */
import { Chooser } from '../random.ts';
import { type Language, languageOf, plain } from './languages.ts';

export interface LegalForm {
  /** ISO 20275 code; 8888 for a form without a code. */
  readonly code: string;
  /** ISO 3166-2 code of a form of one part of the country. */
  readonly jurisdiction: string | null;
  /** The texts before and after the name. */
  readonly before: string;
  readonly after: string;
  /** The text after the name in ASCII; for other scripts, the form as banks write it. */
  readonly latinAfter: string;
  /** OtherLegalForm, for the codes 8888 and 9999. */
  readonly other: string | null;
}

export interface GeneratedCity {
  readonly city: string;
  readonly latin: string;
  readonly region: string | null;
  /** `#` is a digit, `@` a letter; empty if the country has none. */
  readonly postal: string;
}

export interface Country {
  readonly code: string;
  /** Share of all LEIs, in per cent. */
  readonly share: number;
  readonly language: Language;
  /** `xml:lang` of its records; the vocabulary may be a neighbour's. */
  readonly tag: string;
  /** Share of names written in capitals. */
  readonly capitals: number;
  readonly register: string;
  /** A mask of numbers in the register: `#` is a digit. */
  readonly number: string;
  readonly forms: Chooser<LegalForm>;
  readonly places: readonly GeneratedCity[];
  /** The national issuer's prefix and its share of the country. */
  readonly issuer: { readonly prefix: string; readonly share: number } | null;
}

const tags: Readonly<Record<string, string>> = {
  SK: 'sk',
  LT: 'lt',
  LV: 'lv',
  UA: 'uk',
  HR: 'hr',
  SI: 'sl',
  IS: 'is',
  MY: 'ms',
  PH: 'en',
};

interface CountryLists {
  language: string;
  capitals: number;
  register: string;
  forms: string;
  places: string;
  issuer?: string;
}

function form(entry: string): readonly [LegalForm, number] {
  const [key = '', weight = '1', ...rest] = entry.trim().split(' ');
  const [code = '9999', jurisdiction] = key.split('@');
  const [template = '*', other] = rest.join(' ').split('~');
  const [before = '', after = ''] = template.split('*');
  const latin = plain(`${before}${after}`);
  const latinAfter = /^[\x20-\x7e]*$/.test(latin) ? plain(after) : ' Co., Ltd.';
  const shape = { code, jurisdiction: jurisdiction ?? null, before, after, latinAfter, other: other ?? null };
  return [shape, Number(weight)];
}

function place(entry: string): GeneratedCity {
  const [name = '', region = '', postal = ''] = entry.trim().split('/');
  const [city = '', latin] = name.split('|');
  return { city, latin: latin ?? city, region: region === '' ? null : region, postal };
}

function country(code: string, share: number, lists: CountryLists): Country {
  const [register = 'RA999999', ...number] = lists.register.split(' ');
  const [prefix, issuerShare] = (lists.issuer ?? '').split(' ');
  return {
    code,
    share,
    language: languageOf(lists.language),
    tag: tags[code] ?? lists.language,
    capitals: lists.capitals,
    register,
    number: number.join(' '),
    forms: new Chooser(lists.forms.split(';').map(form)),
    places: lists.places.split(';').map(place),
    issuer: prefix ? { prefix, share: Number(issuerShare) } : null,
  };
}

/** Every country, with shares that add up to about 100. */
export const countries: readonly Country[] = [
  country('US', 9.6, {
    language: 'en',
    capitals: 0.4,
    register: 'RA000602 #######',
    forms:
      'HZEH@US-DE 30 * LLC;T91T@US-DE 14 *, L.P.;4FSX@US-DE 9 * Trust;XTIQ@US-DE 12 *, Inc.;XTIQ@US-DE 4 * Corporation;SDX0@US-NY 6 *, LLC;EI4J@US-CA 6 * LLC;WYG5@US-TX 6 *, LLC;8N21@US-FL 6 * LLC;8888 8 * Fund~Series of a trust;8888 5 The * Trust~Trust;9999 4 *',
    places:
      'Wilmington/US-DE/198##;Dover/US-DE/1990#;New York/US-NY/100##;Boston/US-MA/021##;Chicago/US-IL/606##;Los Angeles/US-CA/900##;San Francisco/US-CA/941##;Houston/US-TX/770##;Dallas/US-TX/752##;Miami/US-FL/331##;Atlanta/US-GA/303##;Denver/US-CO/802##;Seattle/US-WA/981##;Minneapolis/US-MN/554##;Milwaukee/US-WI/532##;Philadelphia/US-PA/191##;Charlotte/US-NC/282##;Salt Lake City/US-UT/841##;Columbus/US-OH/432##;Lewes/US-DE/19958',
  }),
  country('IN', 10.4, {
    language: 'en',
    capitals: 0.9,
    register: 'RA000394 U#####MH20##PTC######',
    forms:
      'YSP9 45 * PRIVATE LIMITED;A0PS 18 * AND COMPANY;4QIE 19 * ENTERPRISES;DDKQ 9 * LIMITED;U5S6 6 * LLP;W9FI 3 * CHARITABLE TRUST',
    places:
      'Mumbai/IN-MH/4000##;New Delhi/IN-DL/1100##;Bengaluru/IN-KA/5600##;Hyderabad/IN-TS/5000##;Ahmedabad/IN-GJ/3800##;Chennai/IN-TN/6000##;Kolkata/IN-WB/7000##;Surat/IN-GJ/3950##;Pune/IN-MH/4110##;Jaipur/IN-RJ/3020##;Gurgaon/IN-HR/1220##;Rajkot/IN-GJ/3600##;Indore/IN-MP/4520##;Ludhiana/IN-PB/1410##;Kochi/IN-KL/6820##',
    issuer: '3358 0.78',
  }),
  country('DE', 7.1, {
    language: 'de',
    capitals: 0.04,
    register: 'RA000304 HRB ######',
    forms:
      '2HBR 57 * GmbH;2HBR 3 *gesellschaft mbH;8Z6G 15 * GmbH & Co. KG;6QQB 5 * AG;8Z6G 3 * KG;FR3V 4 * GbR;QZ3L 4 * e.V.;SQKS 2 Körperschaft *;8888 5 *-Fonds~Sondervermögen;9999 2 *',
    places:
      'Berlin/DE-BE/10###;Hamburg/DE-HH/20###;München/DE-BY/80###;Köln/DE-NW/50###;Frankfurt am Main/DE-HE/60###;Stuttgart/DE-BW/70###;Düsseldorf/DE-NW/40###;Leipzig/DE-SN/04###;Dortmund/DE-NW/44###;Essen/DE-NW/45###;Bremen/DE-HB/28###;Dresden/DE-SN/01###;Hannover/DE-NI/30###;Nürnberg/DE-BY/90###;Grünwald/DE-BY/82031;Mannheim/DE-BW/68###;Münster/DE-NW/48###;Freiburg im Breisgau/DE-BW/79###',
    issuer: '5299 0.62',
  }),
  country('GB', 7.0, {
    language: 'en',
    capitals: 0.6,
    register: 'RA000585 ########',
    forms:
      'H0PO 62 * LIMITED;H0PO 12 * LTD;B6ES 5 * PLC;ID30 4 * LP;8888 6 TRUSTEES OF THE * SETTLEMENT~Trust;8888 6 * PENSION SCHEME~Pension scheme;G12F 3 * ASSOCIATION;9999 2 *',
    places:
      'London/GB-LND/EC#A #@@;London/GB-LND/SW#P #@@;Manchester/GB-MAN/M# #@@;Birmingham/GB-BIR/B# #@@;Leeds/GB-LDS/LS# #@@;Liverpool/GB-LIV/L# #@@;Bristol/GB-BST/BS# #@@;Glasgow/GB-GLG/G# #@@;Edinburgh/GB-EDH/EH# #@@;Cardiff/GB-CRF/CF# #@@;Belfast/GB-BFS/BT# #@@;Sheffield/GB-SHF/S# #@@;Reading/GB-RDG/RG# #@@;Guildford/GB-SRY/GU# #@@',
    issuer: '2138 0.72',
  }),
  country('IT', 6.9, {
    language: 'it',
    capitals: 0.75,
    register: 'RA000407 ###########',
    forms:
      "OV32 45 * S.R.L.;OV32 8 * SOCIETA' A RESPONSABILITA' LIMITATA;P418 12 * S.P.A.;LHBB 12 *;2XXH 7 * SOCIETA' SEMPLICE;CGSO 6 * S.A.S.;T2X1 6 * S.N.C.;2HC6 2 ENTE *;8888 2 FONDO *~Fondo",
    places:
      'Milano/IT-MI/201##;Roma/IT-RM/001##;Torino/IT-TO/101##;Napoli/IT-NA/801##;Bologna/IT-BO/401##;Firenze/IT-FI/501##;Verona/IT-VR/371##;Padova/IT-PD/351##;Brescia/IT-BS/251##;Bari/IT-BA/701##;Palermo/IT-PA/901##;Genova/IT-GE/161##;Rimini/IT-RN/479##;Treviso/IT-TV/311##;Modena/IT-MO/411##;Bergamo/IT-BG/241##',
    issuer: '8156 0.8',
  }),
  country('CN', 5.0, {
    language: 'zh',
    capitals: 0,
    register: 'RA000622 91##############X',
    forms: 'ECAK 82 *有限公司;ECAK 14 *股份有限公司;ECAK 4 *合伙企业（有限合伙）',
    places:
      '上海市|Shanghai/CN-SH/200###;北京市|Beijing/CN-BJ/100###;深圳市|Shenzhen/CN-GD/518###;广州市|Guangzhou/CN-GD/510###;杭州市|Hangzhou/CN-ZJ/310###;苏州市|Suzhou/CN-JS/215###;宁波市|Ningbo/CN-ZJ/315###;青岛市|Qingdao/CN-SD/266###;南京市|Nanjing/CN-JS/210###;成都市|Chengdu/CN-SC/610###;武汉市|Wuhan/CN-HB/430###;厦门市|Xiamen/CN-FJ/361###;天津市|Tianjin/CN-TJ/300###;重庆市|Chongqing/CN-CQ/400###;东莞市|Dongguan/CN-GD/523###;金华市|Jinhua/CN-ZJ/321###',
    issuer: '3003 0.9',
  }),
  country('FR', 5.3, {
    language: 'fr',
    capitals: 0.7,
    register: 'RA000189 #########',
    forms:
      '6CHY 36 * SAS;6CHY 8 *;V9QP 20 * SARL;FY0F 16 SCI *;K65D 6 * SA;BEWI 4 ASSOCIATION *;1L24 5 SOCIETE CIVILE *;UZY3 1 CENTRE HOSPITALIER *;8888 4 FCP *~Fonds commun de placement',
    places:
      'Paris//750##;Lyon//6900#;Marseille//1300#;Toulouse//31###;Nice//06###;Nantes//44###;Strasbourg//67###;Montpellier//34###;Bordeaux//33###;Lille//59###;Rennes//35###;Puteaux//92800;Nanterre//92000;Boulogne-Billancourt//92100;Grenoble//38###;Dijon//21###',
    issuer: '9695 0.6',
  }),
  country('ES', 5.4, {
    language: 'es',
    capitals: 0.75,
    register: 'RA000535 B########',
    forms:
      'DP3Q 62 * S.L.;DP3Q 6 * SL;5RDO 16 * S.A.;R6UT 10 * S.L.U.;S0Z5 2 * F.I.;FH4R 1 *, FONDO DE PENSIONES;8888 3 COMUNIDAD DE BIENES *~Comunidad de bienes',
    places:
      'Madrid/ES-MD/280##;Barcelona/ES-B/080##;Valencia/ES-V/460##;Sevilla/ES-SE/410##;Zaragoza/ES-Z/500##;Málaga/ES-MA/290##;Bilbao/ES-BI/480##;Murcia/ES-MU/300##;Alicante/ES-A/030##;A Coruña/ES-C/150##;Palma/ES-PM/070##;Santander/ES-S/390##;Alcobendas/ES-MD/28108;Tarragona/ES-T/430##',
    issuer: '9598 0.78',
  }),
  country('NL', 5.0, {
    language: 'nl',
    capitals: 0.1,
    register: 'RA000463 ########',
    forms:
      '54M6 72 * B.V.;4QXM 9 *;V44D 10 Stichting *;B5PM 3 * N.V.;CODH 3 * C.V.;8888 3 * v.o.f.~Vennootschap onder firma',
    places:
      'Amsterdam/NL-NH/10## @@;Rotterdam/NL-ZH/30## @@;Den Haag/NL-ZH/25## @@;Utrecht/NL-UT/35## @@;Eindhoven/NL-NB/56## @@;Groningen/NL-GR/97## @@;Tilburg/NL-NB/50## @@;Breda/NL-NB/48## @@;Arnhem/NL-GE/68## @@;Haarlem/NL-NH/20## @@;Zwolle/NL-OV/80## @@;Maastricht/NL-LI/62## @@',
    issuer: '7245 0.6',
  }),
  country('SE', 3.9, {
    language: 'sv',
    capitals: 0.15,
    register: 'RA000544 55####-####',
    forms:
      'XJHM 84 * AB;XJHM 3 Aktiebolaget *;E9BI 6 Stiftelsen *;BEAY 3 * Handelsbolag;8888 4 *~Värdepappersfond',
    places:
      'Stockholm/SE-AB/1## ##;Göteborg/SE-O/4## ##;Malmö/SE-M/2## ##;Uppsala/SE-C/75# ##;Västerås/SE-U/72# ##;Örebro/SE-T/70# ##;Linköping/SE-E/58# ##;Helsingborg/SE-M/25# ##;Umeå/SE-AC/90# ##;Solna/SE-AB/17# ##',
  }),
  country('DK', 3.7, {
    language: 'da',
    capitals: 0.15,
    register: 'RA000170 ########',
    forms: 'H8VP 62 * ApS;ZRPO 15 * A/S;FUKI 16 *;PIOI 2 * Fond;40R4 3 Foreningen *;5QS7 2 * IVS',
    places:
      'København/DK-84/1###;Aarhus/DK-82/8000;Odense/DK-83/5000;Aalborg/DK-81/9000;Esbjerg/DK-83/6700;Hellerup/DK-84/2900;Vejle/DK-83/7100;Kolding/DK-83/6000;Viborg/DK-82/8800;Roskilde/DK-85/4000',
  }),
  country('NO', 2.9, {
    language: 'no',
    capitals: 0.5,
    register: 'RA000472 9## ### ###',
    forms: 'YI42 92 * AS;IQGE 2 * ASA;3C7U 2 Stiftelsen *;LJJW 2 Verdipapirfondet *;9999 2 *',
    places:
      'Oslo/NO-03/0###;Bergen/NO-46/50##;Trondheim/NO-50/70##;Stavanger/NO-11/40##;Drammen/NO-33/30##;Kristiansand/NO-42/46##;Ålesund/NO-15/60##;Tromsø/NO-55/90##;Sandnes/NO-11/43##',
  }),
  country('FI', 2.1, {
    language: 'fi',
    capitals: 0.05,
    register: 'RA000188 #######-#',
    forms: 'DKUW 86 * Oy;K6VE 3 * Oyj;HEOB 4 * Ky;YK5G 3 *säätiö sr;760X 2 * ry;8888 2 *~Sijoitusrahasto',
    places:
      'Helsinki/FI-18/00###;Espoo/FI-18/02###;Tampere/FI-11/33###;Vantaa/FI-18/01###;Oulu/FI-14/90###;Turku/FI-19/20###;Jyväskylä/FI-08/40###;Lahti/FI-16/15###;Kuopio/FI-15/70###',
    issuer: '7437 0.5',
  }),
  country('BE', 3.0, {
    language: 'nl',
    capitals: 0.55,
    register: 'RA000025 0###.###.###',
    forms:
      '3W7E 50 * BV;R85P 26 * NV;N5NT 10 * BVBA;W3WH 4 * VZW;MQH3 5 * CommV;8E2A 3 * CVBA;8888 2 *~Maatschap',
    places:
      'Brussel/BE-BRU/1000;Bruxelles/BE-BRU/10#0;Antwerpen/BE-VAN/2000;Gent/BE-VOV/9000;Charleroi/BE-WHT/6000;Liège/BE-WLG/4000;Brugge/BE-VWV/8000;Leuven/BE-VBR/3000;Mons/BE-WHT/7000;Hasselt/BE-VLI/3500;Knokke-Heist/BE-VWV/8300',
  }),
  country('PL', 2.4, {
    language: 'pl',
    capitals: 0.6,
    register: 'RA000484 0000######',
    forms:
      'O7XB 48 * SPÓŁKA Z OGRANICZONĄ ODPOWIEDZIALNOŚCIĄ;O7XB 8 * Sp. z o.o.;ZVVM 20 *;FJ0E 10 * SPÓŁKA AKCYJNA;BSJT 6 * SPÓŁKA KOMANDYTOWA;96XK 3 FUNDACJA *;RBHP 4 * FUNDUSZ INWESTYCYJNY ZAMKNIĘTY;9999 1 *',
    places:
      'Warszawa/PL-14/00-###;Kraków/PL-12/31-###;Łódź/PL-10/90-###;Wrocław/PL-02/50-###;Poznań/PL-30/61-###;Gdańsk/PL-22/80-###;Szczecin/PL-32/70-###;Katowice/PL-24/40-###;Lublin/PL-06/20-###;Białystok/PL-20/15-###',
    issuer: '2594 0.7',
  }),
  country('LU', 1.9, {
    language: 'fr',
    capitals: 0.2,
    register: 'RA000432 B######',
    forms:
      'DVXS 36 * S.à r.l.;5GGB 16 * S.A.;UDY2 22 * SICAV;U8KA 14 * SCSp;81G5 3 * S.C.A.;AIR5 6 * FCP;8888 3 *~Sub-fund',
    places:
      'Luxembourg/LU-LU/L-####;Senningerberg/LU-LU/L-####;Munsbach/LU-LU/L-53##;Howald/LU-LU/L-23##;Strassen/LU-LU/L-80##;Esch-sur-Alzette/LU-ES/L-4###',
    issuer: '2221 0.3',
  }),
  country('CH', 1.6, {
    language: 'de',
    capitals: 0.05,
    register: 'RA000549 CHE#########',
    forms: 'MVII 55 * AG;MVII 6 * SA;3EKS 22 * GmbH;2JZ4 6 Stiftung *;FLNB 6 * Fonds;8888 5 *~Anlagestiftung',
    places:
      'Zürich/CH-ZH/80##;Genève/CH-GE/12##;Basel/CH-BS/40##;Bern/CH-BE/30##;Lausanne/CH-VD/10##;Zug/CH-ZG/6300;Baar/CH-ZG/6340;Luzern/CH-LU/60##;St. Gallen/CH-SG/90##;Lugano/CH-TI/69##',
    issuer: '5067 0.2',
  }),
  country('AT', 1.5, {
    language: 'de',
    capitals: 0.05,
    register: 'RA000017 ######@',
    forms: 'AXSB 66 * GmbH;EQOV 8 * AG;ONF1 10 * KG;ECWU 8 * e.U.;DX6Z 3 Verein *;8888 5 *~Investmentfonds',
    places:
      'Wien/AT-9/1##0;Graz/AT-6/80##;Linz/AT-4/40##;Salzburg/AT-5/50##;Innsbruck/AT-7/60##;Klagenfurt/AT-2/90##;Wels/AT-4/4600;St. Pölten/AT-3/3100;Bregenz/AT-8/6900',
  }),
  country('CZ', 2.3, {
    language: 'cs',
    capitals: 0.1,
    register: 'RA000163 ########',
    forms: '9HLU 66 * s.r.o.;6CQN 22 * a.s.;J8PB 4 Obec *;9RVC 3 * družstvo;95G8 3 *;CATU 2 *, z.s.',
    places:
      'Praha/CZ-10/1## 00;Brno/CZ-64/6## 00;Ostrava/CZ-80/7## 00;Plzeň/CZ-32/3## 00;Liberec/CZ-51/460 0#;Olomouc/CZ-71/77# 00;České Budějovice/CZ-31/370 0#;Hradec Králové/CZ-52/500 0#;Pardubice/CZ-53/530 0#',
    issuer: '3157 0.7',
  }),
  country('SK', 0.6, {
    language: 'cs',
    capitals: 0.1,
    register: 'RA000526 ########',
    forms: 'VSZS 72 * s.r.o.;2EEG 24 * a.s.;D18J 4 * j.s.a.',
    places:
      'Bratislava/SK-BL/8## 0#;Košice/SK-KI/040 ##;Prešov/SK-PV/080 0#;Žilina/SK-ZI/010 0#;Nitra/SK-NI/949 0#;Trenčín/SK-TC/911 0#',
    issuer: '0979 0.6',
  }),
  country('HU', 0.9, {
    language: 'hu',
    capitals: 0.05,
    register: 'RA000391 0#-09-######',
    forms:
      'P9F2 54 * Korlátolt Felelősségű Társaság;P9F2 16 * Kft.;BKUX 14 * Zrt.;8VH3 5 * Befektetési Alap;S3DA 6 * Bt.;EO9F 5 * Nyrt.',
    places:
      'Budapest/HU-BU/1###;Debrecen/HU-HB/40##;Szeged/HU-CS/67##;Miskolc/HU-BZ/35##;Pécs/HU-BA/76##;Győr/HU-GS/90##;Kecskemét/HU-BK/6000',
  }),
  country('AU', 1.9, {
    language: 'en',
    capitals: 0.65,
    register: 'RA000014 ### ### ###',
    forms: 'TXVC 48 * PTY LTD;7TPC 30 The Trustee for * Trust;R4KK 10 * LIMITED;ADXG 8 * Fund;J4JC 4 * LP',
    places:
      'Sydney/AU-NSW/2000;Melbourne/AU-VIC/3000;Brisbane/AU-QLD/4000;Perth/AU-WA/6000;Adelaide/AU-SA/5000;Canberra/AU-ACT/260#;Gold Coast/AU-QLD/421#;Hobart/AU-TAS/7000;North Sydney/AU-NSW/2060',
    issuer: '2614 0.2',
  }),
  country('NZ', 0.4, {
    language: 'en',
    capitals: 0.6,
    register: 'RA000466 #######',
    forms: 'P2R9 84 * LIMITED;F7KI 6 * LIMITED PARTNERSHIP;Q4BE 4 * COUNCIL;8888 6 * TRUST~Trust',
    places:
      'Auckland/NZ-AUK/1010;Wellington/NZ-WGN/6011;Christchurch/NZ-CAN/8011;Hamilton/NZ-WKO/3204;Tauranga/NZ-BOP/3110',
  }),
  country('CA', 2.5, {
    language: 'en',
    capitals: 0.55,
    register: 'RA000072 #######-#',
    forms:
      'O90R@CA-ON 34 * INC.;UDLA 24 * LTD.;YG5M@CA-BC 14 * CORP.;UG3Z@CA-QC 12 * INC.;1JGX@CA-ON 8 * LIMITED PARTNERSHIP;ASWX@CA-NL 3 * LIMITED;8888 5 * Fund~Mutual fund trust',
    places:
      'Toronto/CA-ON/M5@ #@#;Montréal/CA-QC/H3@ #@#;Vancouver/CA-BC/V6@ #@#;Calgary/CA-AB/T2@ #@#;Edmonton/CA-AB/T5@ #@#;Ottawa/CA-ON/K1@ #@#;Winnipeg/CA-MB/R3@ #@#;Halifax/CA-NS/B3@ #@#',
  }),
  country('JP', 0.75, {
    language: 'ja',
    capitals: 0,
    register: 'RA000412 ####-##-######',
    forms: 'T417 44 株式会社*;T417 34 *株式会社;8888 10 *合同会社~合同会社;9999 12 *投資信託',
    places:
      '東京都 千代田区|Chiyoda-ku, Tokyo/JP-13/100-####;東京都 港区|Minato-ku, Tokyo/JP-13/107-####;東京都 中央区|Chuo-ku, Tokyo/JP-13/104-####;大阪市 北区|Kita-ku, Osaka/JP-27/530-####;名古屋市|Nagoya/JP-23/450-####;横浜市|Yokohama/JP-14/220-####;福岡市|Fukuoka/JP-40/812-####;札幌市|Sapporo/JP-01/060-####',
    issuer: '3538 0.7',
  }),
  country('KR', 0.25, {
    language: 'ko',
    capitals: 0,
    register: 'RA000657 ######-#######',
    forms: '5RCH 50 주식회사 *;5RCH 30 * 주식회사;J3U5 6 유한회사 *;UGVB 14 * 증권 투자신탁',
    places:
      '서울|Seoul/KR-11/0####;부산광역시|Busan/KR-26/4####;인천광역시|Incheon/KR-28/2####;대구광역시|Daegu/KR-27/4####;수원시|Suwon/KR-41/1####',
    issuer: '9884 0.8',
  }),
  country('TW', 0.12, {
    language: 'zh',
    capitals: 0,
    register: 'RA000559 ########',
    forms: 'TD8P 92 *股份有限公司;8888 8 *有限公司~有限公司',
    places:
      '臺北市|Taipei/TW-TPE/1####;新北市|New Taipei/TW-NWT/2####;高雄市|Kaohsiung/TW-KHH/8####;桃園市|Taoyuan/TW-TAO/3####',
  }),
  country('HK', 0.9, {
    language: 'en',
    capitals: 0.6,
    register: 'RA000388 #######',
    forms: '254M 86 * LIMITED;254M 4 * (HK) LIMITED;EPG7 4 * HOLDINGS LIMITED;2QMJ 6 * FUND',
    places: 'Hong Kong//999077;Central//;Wan Chai//;Kowloon//;Sheung Wan//;Quarry Bay//',
  }),
  country('SG', 0.6, {
    language: 'en',
    capitals: 0.8,
    register: 'RA000523 20#######@',
    forms: 'LWXI 90 * PTE. LTD.;LWXI 4 * LIMITED;17FJ 3 * LP;8888 3 * VCC~Variable capital company',
    places: 'Singapore//0#####;Singapore//2#####;Singapore//4#####',
  }),
  country('KY', 1.9, {
    language: 'en',
    capitals: 0.35,
    register: 'RA000086 MC-######',
    forms:
      '6XB7 40 *, L.P.;OSBR 36 * Ltd.;XAQA 8 * Master Fund L.P.;MPUG 8 * LLC;T5UM 3 * LDC;8888 5 * SPC~Segregated portfolio company',
    places: 'George Town//KY1-1104;Grand Cayman//KY1-9008;Camana Bay//KY1-9009;George Town//KY1-1107',
  }),
  country('VG', 1.2, {
    language: 'en',
    capitals: 0.7,
    register: 'RA000061 #######',
    forms: '6EH6 84 * LIMITED;6EH6 8 * CORP.;6EH6 5 * INC.;ZHED 3 * LTD',
    places: 'Road Town//VG1110;Tortola//VG1110',
  }),
  country('IE', 1.4, {
    language: 'en',
    capitals: 0.5,
    register: 'RA000402 ######',
    forms:
      'MNQ7 50 * LIMITED;LGWG 22 * DESIGNATED ACTIVITY COMPANY;2GV9 14 * ICAV;LZIC 2 * ILP;8888 12 * FUND~Sub-fund of an umbrella',
    places:
      'Dublin/IE-D/D0# @###;Dublin/IE-D/D1# @###;Cork/IE-CO/T12 @###;Limerick/IE-LK/V94 @###;Galway/IE-G/H91 @###',
    issuer: '6354 0.5',
  }),
  country('JE', 0.7, {
    language: 'en',
    capitals: 0.6,
    register: 'RA000414 ######',
    forms: 'SQXV 80 * LIMITED;JOX1 8 * PLC;UBWU 12 * L.P.',
    places: 'St. Helier//JE2 3##;St Helier//JE4 8@@',
  }),
  country('GG', 0.5, {
    language: 'en',
    capitals: 0.5,
    register: 'RA000381 #####',
    forms: 'E6J3 70 * LIMITED;75XK 22 * LP;4C0J 8 * PCC LTD',
    places: 'St Peter Port//GY1 #@@;St Sampson//GY1 3@@',
  }),
  country('EE', 0.9, {
    language: 'et',
    capitals: 0.1,
    register: 'RA000181 ########',
    forms: 'JC0Y 92 * OÜ;9LJA 6 * AS;VSEV 2 * TÜH',
    places: 'Tallinn/EE-37/10###;Tartu/EE-79/50###;Pärnu/EE-68/80###',
  }),
  country('LT', 0.7, {
    language: 'et',
    capitals: 0.05,
    register: 'RA000430 30#######',
    forms: 'BPLS 82 UAB "*";81KA 5 AB "*";SFYA 10 MB "*";LUGM 3 Kooperatyvas "*"',
    places: 'Vilnius/LT-58/LT-0####;Kaunas/LT-16/LT-4####;Klaipėda/LT-21/LT-9####;Šiauliai/LT-44/LT-7####',
  }),
  country('LV', 0.5, {
    language: 'et',
    capitals: 0.1,
    register: 'RA000423 4##########',
    forms: 'ES2D 60 SIA "*";ES2D 28 Sabiedrība ar ierobežotu atbildību "*";VJBO 12 AS "*"',
    places: 'Rīga/LV-RIX/LV-10##;Liepāja/LV-LPX/LV-34##;Jūrmala/LV-JUR/LV-20##;Daugavpils/LV-DGV/LV-54##',
    issuer: '4851 0.2',
  }),
  country('RU', 0.35, {
    language: 'ru',
    capitals: 0.2,
    register: 'RA000499 1############',
    forms:
      '17R7 50 Общество с ограниченной ответственностью "*";17R7 14 ООО "*";R71T 22 Акционерное общество "*";JZBN 8 АО "*";4TYO 6 ПАО "*"',
    places:
      'Москва|Moskva/RU-MOW/1#####;Санкт-Петербург|Sankt-Peterburg/RU-SPE/19####;Новосибирск|Novosibirsk/RU-NVS/630###;Екатеринбург|Yekaterinburg/RU-SVE/620###;Казань|Kazan/RU-TA/420###;Челябинск|Chelyabinsk/RU-CHE/454###',
  }),
  country('UA', 0.12, {
    language: 'bg',
    capitals: 0.3,
    register: 'RA000567 ########',
    forms: '8888 80 ТОВ "*"~Товариство з обмеженою відповідальністю;8888 20 АТ "*"~Акціонерне товариство',
    places: 'Київ|Kyiv/UA-30/0####;Львів|Lviv/UA-46/790##;Одеса|Odesa/UA-51/650##;Харків|Kharkiv/UA-63/610##',
  }),
  country('GR', 0.35, {
    language: 'el',
    capitals: 0.5,
    register: 'RA000685 ############',
    forms:
      'W2NK 56 * ΑΝΩΝΥΜΗ ΕΤΑΙΡΕΙΑ;W2NK 16 * Α.Ε.;QCA0 18 * ΙΔΙΩΤΙΚΗ ΚΕΦΑΛΑΙΟΥΧΙΚΗ ΕΤΑΙΡΕΙΑ;H6OR 10 * ΕΠΕ',
    places:
      'Αθήνα|Athina/GR-I/1####;Θεσσαλονίκη|Thessaloniki/GR-B/54###;Πειραιάς|Peiraias/GR-I/185##;Μαρούσι|Marousi/GR-I/151##;Πάτρα|Patra/GR-G/26###',
    issuer: '2138 0.1',
  }),
  country('CY', 0.8, {
    language: 'en',
    capitals: 0.8,
    register: 'RA000161 ΗΕ ######',
    forms: 'RCPI 76 * LIMITED;K9L6 18 * LTD;MYKG 6 * PLC',
    places: 'Nicosia/CY-01/10##;Limassol/CY-02/30##;Larnaca/CY-03/60##;Paphos/CY-05/80##',
  }),
  country('BG', 0.5, {
    language: 'bg',
    capitals: 0.2,
    register: 'RA000065 #########',
    forms: 'WVIN 46 * ЕООД;VJ3G 28 * ООД;WTK4 20 * АД;EJ06 6 * ЕАД',
    places:
      'София|Sofia/BG-22/1###;Пловдив|Plovdiv/BG-16/40##;Варна|Varna/BG-03/90##;Бургас|Burgas/BG-02/80##;Стара Загора|Stara Zagora/BG-24/60##',
    issuer: '8945 0.2',
  }),
  country('RO', 0.9, {
    language: 'ro',
    capitals: 0.75,
    register: 'RA000497 ########',
    forms: 'XHN1 86 * S.R.L.;ANDT 10 * S.A.;5NCK 2 ASOCIAȚIA *;CTBD 2 *',
    places:
      'București/RO-B/0#####;Cluj-Napoca/RO-CJ/400###;Timișoara/RO-TM/300###;Iași/RO-IS/700###;Constanța/RO-CT/900###;Brașov/RO-BV/500###;Sibiu/RO-SB/550###',
    issuer: '7872 0.3',
  }),
  country('HR', 0.45, {
    language: 'ro',
    capitals: 0.5,
    register: 'RA000154 0########',
    forms: 'OQWO 84 * d.o.o.;LUMA 12 * d.d.;9D9U 4 *, obrt',
    places: 'Zagreb/HR-21/10000;Split/HR-17/21000;Rijeka/HR-08/51000;Osijek/HR-14/31000',
    issuer: '7478 0.8',
  }),
  country('SI', 0.35, {
    language: 'ro',
    capitals: 0.4,
    register: 'RA000528 #######000',
    forms: 'KBKD 86 * d.o.o.;1OR3 12 * d.d.;UDQJ 2 * GIZ',
    places: 'Ljubljana/SI-061/1000;Maribor/SI-070/2000;Celje/SI-011/3000;Kranj/SI-052/4000;Koper/SI-050/6000',
    issuer: '4851 0.7',
  }),
  country('PT', 1.2, {
    language: 'pt',
    capitals: 0.6,
    register: 'RA000487 5########',
    forms: 'USOG 62 *, LDA;DFE5 30 *, S.A.;6L6P 5 FUNDO *;9999 3 *',
    places:
      'Lisboa/PT-11/1###-###;Porto/PT-13/4###-###;Braga/PT-03/4700-###;Coimbra/PT-06/3000-###;Leiria/PT-10/24##-###;Sintra/PT-11/27##-###;Funchal/PT-30/9000-###',
  }),
  country('BR', 0.7, {
    language: 'pt',
    capitals: 0.8,
    register: 'RA000681 ##.###.###/0001-##',
    forms:
      'QHW1 46 * LTDA;X0SD 26 * S.A.;8888 24 FUNDO DE INVESTIMENTO *~Fundo de investimento;PC5A 4 COOPERATIVA *',
    places:
      'São Paulo/BR-SP/0####-###;Rio de Janeiro/BR-RJ/2####-###;Curitiba/BR-PR/80###-###;Belo Horizonte/BR-MG/30###-###;Porto Alegre/BR-RS/90###-###;Brasília/BR-DF/70###-###',
  }),
  country('MX', 0.5, {
    language: 'es',
    capitals: 0.6,
    register: 'RA000449 @@@######@@#',
    forms:
      'JGV1 60 * S.A. DE C.V.;VATV 16 * S.A.P.I. DE C.V.;XLVZ 20 * S. DE R.L. DE C.V.;M0SL 4 MUNICIPIO DE *',
    places:
      'Ciudad de México/MX-CMX/0####;Guadalajara/MX-JAL/441##;Monterrey/MX-NLE/640##;Puebla/MX-PUE/720##;Zapopan/MX-JAL/450##;Tijuana/MX-BCN/220##',
  }),
  country('TR', 0.7, {
    language: 'tr',
    capitals: 0.85,
    register: 'RA000566 ######-#',
    forms: 'W2SQ 50 * ANONİM ŞİRKETİ;R5UT 30 * LİMİTED ŞİRKETİ;5T3H 20 * YATIRIM FONU',
    places:
      'İstanbul/TR-34/34###;Ankara/TR-06/06###;İzmir/TR-35/35###;Bursa/TR-16/16###;Konya/TR-42/42###;Kocaeli/TR-41/41###;Gaziantep/TR-27/27###',
    issuer: '7890 0.8',
  }),
  country('ZA', 0.35, {
    language: 'en',
    capitals: 0.7,
    register: 'RA000530 20##/######/07',
    forms: 'GQVQ 70 * (PTY) LTD;XE4Z 16 * LIMITED;4YUU 6 * CC;8888 8 * TRUST~Trust',
    places:
      'Johannesburg/ZA-GP/2###;Cape Town/ZA-WC/8###;Durban/ZA-KZN/4###;Pretoria/ZA-GP/0###;Sandton/ZA-GP/2196',
    issuer: '3789 0.8',
  }),
  country('AE', 0.5, {
    language: 'en',
    capitals: 0.6,
    register: 'RA000580 ######',
    forms: 'RWVW 60 * LLC;70EO 26 * LTD;JGNU 8 * PJSC;8888 6 * FZE~Free zone establishment',
    places: 'Dubai/AE-DU/;Abu Dhabi/AE-AZ/;Sharjah/AE-SH/;Ras Al Khaimah/AE-RK/',
  }),
  country('SA', 0.3, {
    language: 'ar',
    capitals: 0,
    register: 'RA000513 10########',
    forms: 'TTE8 54 شركة * ذات مسؤولية محدودة;B3JS 30 مؤسسة *;78VH 16 شركة * شركة مساهمة',
    places:
      'الرياض|Riyadh/SA-01/1####;جدة|Jeddah/SA-02/2####;الدمام|Dammam/SA-04/3####;مكة المكرمة|Makkah/SA-02/2####',
    issuer: '5586 0.8',
  }),
  country('EG', 0.08, {
    language: 'ar',
    capitals: 0,
    register: 'RA000180 #####',
    forms: '8888 70 شركة * ش.م.م~شركة مساهمة مصرية;8888 30 * ذ.م.م~شركة ذات مسؤولية محدودة',
    places: 'القاهرة|Cairo/EG-C/11###;الجيزة|Giza/EG-GZ/12###;الإسكندرية|Alexandria/EG-ALX/21###',
  }),
  country('IL', 0.25, {
    language: 'he',
    capitals: 0,
    register: 'RA000403 51#######',
    forms: '8888 90 * בע"מ~חברה פרטית;8888 10 * שותפות מוגבלת~שותפות',
    places:
      'תל אביב|Tel Aviv/IL-TA/6######;ירושלים|Jerusalem/IL-JM/9######;חיפה|Haifa/IL-HA/3######;הרצליה|Herzliya/IL-TA/46#####',
  }),
  country('TH', 0.14, {
    language: 'th',
    capitals: 0,
    register: 'RA000563 01###########',
    forms: 'K09K 76 บริษัท * จำกัด;O0OZ 24 บริษัท * จำกัด (มหาชน)',
    places:
      'กรุงเทพมหานคร|Bangkok/TH-10/10###;เชียงใหม่|Chiang Mai/TH-50/50###;ภูเก็ต|Phuket/TH-83/83###;ชลบุรี|Chon Buri/TH-20/20###',
  }),
  country('GE', 0.05, {
    language: 'ka',
    capitals: 0,
    register: 'RA000247 4########',
    forms: '8888 80 შპს "*"~შეზღუდული პასუხისმგებლობის საზოგადოება;8888 20 სს "*"~სააქციო საზოგადოება',
    places: 'თბილისი|Tbilisi/GE-TB/01##;ბათუმი|Batumi/GE-AJ/60##;ქუთაისი|Kutaisi/GE-IM/46##',
  }),
  country('ID', 0.35, {
    language: 'id',
    capitals: 0.5,
    register: 'RA000763 9############',
    forms: 'UD1V 84 PT *;JAJS 8 PT * INDONESIA;AEZW 6 PT * Tbk;BJT3 2 Firma *',
    places:
      'Jakarta/ID-JK/1####;Surabaya/ID-JI/60###;Bandung/ID-JB/40###;Bekasi/ID-JB/17###;Medan/ID-SU/20###',
  }),
  country('MY', 0.35, {
    language: 'id',
    capitals: 0.8,
    register: 'RA000442 20##########',
    forms: 'XEOV 80 * SDN. BHD.;7OYN 12 * BERHAD;ZWYK 8 * LIMITED',
    places:
      'Kuala Lumpur/MY-14/50###;Petaling Jaya/MY-10/46###;George Town/MY-07/10###;Johor Bahru/MY-01/80###;Labuan/MY-15/87000',
  }),
  country('PH', 0.2, {
    language: 'es',
    capitals: 0.8,
    register: 'RA000483 CS20########',
    forms: 'WHGH 92 *, INC.;SPX9 8 * CORPORATION',
    places: 'Makati City/PH-00/12##;Taguig City/PH-00/1634;Manila/PH-00/10##;Cebu City/PH-CEB/6000',
  }),
  country('MT', 0.45, {
    language: 'en',
    capitals: 0.6,
    register: 'RA000443 C #####',
    forms: 'V89C 86 * LIMITED;C061 6 * P.L.C.;3U3Y 4 * FOUNDATION;8888 4 * SICAV~SICAV',
    places:
      'Valletta/MT-60/VLT ####;Sliema/MT-56/SLM ####;St. Julian’s/MT-48/STJ ####;Birkirkara/MT-04/BKR ####',
  }),
  country('LI', 0.4, {
    language: 'de',
    capitals: 0.4,
    register: 'RA000428 FL-000#.###.###-#',
    forms:
      'BSZ8 62 * STIFTUNG;7RRP 16 * AG;53QF 10 * TRUST;1DGT 6 * TRUST REG.;8888 6 * FUND~Investmentfonds',
    places: 'Vaduz/LI-11/9490;Schaan/LI-07/9494;Triesen/LI-09/9495;Balzers/LI-01/9496',
  }),
  country('IS', 0.3, {
    language: 'da',
    capitals: 0.1,
    register: 'RA000396 ######-####',
    forms: 'M8SS 92 * ehf.;8888 8 * hf.~Hlutafélag',
    places: 'Reykjavík/IS-1/1##;Kópavogur/IS-1/200;Akureyri/IS-6/600;Hafnarfjörður/IS-1/220',
  }),
  country('BM', 0.35, {
    language: 'en',
    capitals: 0.4,
    register: 'RA000028 ######',
    forms: '7AS7 70 * Ltd.;NAQG 20 * Limited;7MGJ 8 * L.P.;VFXJ 2 * Fund Limited',
    places: 'Hamilton//HM 1#;Pembroke//HM 08',
  }),
  country('PA', 0.35, {
    language: 'es',
    capitals: 0.8,
    register: 'RA000478 ######',
    forms: '6TPA 86 *, S.A.;UNCO 14 FUNDACIÓN *',
    places: 'Ciudad de Panamá/PA-8/;Panamá/PA-8/08##',
  }),
  country('MU', 0.35, {
    language: 'en',
    capitals: 0.6,
    register: 'RA000447 C######',
    forms: '8888 92 * LTD~Private company limited by shares;8888 8 * FUND~Collective investment scheme',
    places: 'Port Louis/MU-PL/11###;Ebene/MU-PW/72201',
  }),
  country('NG', 0.12, {
    language: 'en',
    capitals: 0.8,
    register: 'RA000469 RC######',
    forms: '8888 80 * LIMITED~Private company limited by shares;8888 20 * PLC~Public limited company',
    places: 'Lagos/NG-LA/101###;Abuja/NG-FC/900###;Port Harcourt/NG-RI/500###',
  }),
];

export const countryByCode: ReadonlyMap<string, Country> = new Map(
  countries.map((entry) => [entry.code, entry]),
);
