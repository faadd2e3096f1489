"""Tables: the languages of ISO 639-1, by their English and their own names, and the countries of
ISO 3166, by their English ones.
"""

from __future__ import annotations

LANGUAGE_TABLE = """
aa Afar; ab Abkhazian; ae Avestan; af Afrikaans; ak Akan; am Amharic; an Aragonese; ar Arabic;
as Assamese; av Avaric; ay Aymara; az Azerbaijani; ba Bashkir; be Belarusian; bg Bulgarian;
bi Bislama; bm Bambara; bn Bengali, Bangla; bo Tibetan; br Breton; bs Bosnian; ca Catalan;
ce Chechen; ch Chamorro; co Corsican; cr Cree; cs Czech; cu Church Slavic; cv Chuvash; cy Welsh;
da Danish; de German; dv Dhivehi, Divehi; dz Dzongkha; ee Ewe; el Greek; en English; eo Esperanto;
es Spanish, Castilian; et Estonian; eu Basque; fa Persian, Farsi; ff Fulah; fi Finnish; fj Fijian;
fo Faroese; fr French; fy Western Frisian, Frisian; ga Irish; gd Scottish Gaelic; gl Galician;
gn Guarani; gu Gujarati; gv Manx; ha Hausa; he Hebrew; hi Hindi; ho Hiri Motu; hr Croatian;
ht Haitian Creole, Haitian; hu Hungarian; hy Armenian; hz Herero; ia Interlingua; id Indonesian;
ie Interlingue; ig Igbo; ii Sichuan Yi; ik Inupiaq; io Ido; is Icelandic; it Italian; iu Inuktitut;
ja Japanese; jv Javanese; ka Georgian; kg Kongo; ki Kikuyu; kj Kuanyama; kk Kazakh;
kl Kalaallisut, Greenlandic; km Khmer; kn Kannada; ko Korean; kr Kanuri; ks Kashmiri; ku Kurdish;
kv Komi; kw Cornish; ky Kyrgyz, Kirghiz; la Latin; lb Luxembourgish; lg Ganda, Luganda;
li Limburgish; ln Lingala; lo Lao; lt Lithuanian; lu Luba-Katanga; lv Latvian; mg Malagasy;
mh Marshallese; mi Maori, Māori; mk Macedonian; ml Malayalam; mn Mongolian; mr Marathi; ms Malay;
mt Maltese; my Burmese; na Nauru; nb Norwegian Bokmål; nd North Ndebele; ne Nepali; ng Ndonga;
nl Dutch, Flemish; nn Norwegian Nynorsk; no Norwegian; nr South Ndebele; nv Navajo;
ny Chichewa, Nyanja; oc Occitan; oj Ojibwa, Ojibwe; om Oromo; or Odia, Oriya; os Ossetian;
pa Punjabi, Panjabi; pi Pali; pl Polish; ps Pashto, Pushto; pt Portuguese; qu Quechua; rm Romansh;
rn Kirundi, Rundi; ro Romanian; ru Russian; rw Kinyarwanda; sa Sanskrit; sc Sardinian; sd Sindhi;
se Northern Sami; sg Sango; si Sinhala, Sinhalese; sk Slovak; sl Slovenian, Slovene; sm Samoan;
sn Shona; so Somali; sq Albanian; sr Serbian; ss Swati; st Southern Sotho, Sesotho; su Sundanese;
sv Swedish; sw Swahili; ta Tamil; te Telugu; tg Tajik; th Thai; ti Tigrinya; tk Turkmen;
tl Tagalog, Filipino; tn Tswana; to Tongan; tr Turkish; ts Tsonga; tt Tatar; tw Twi; ty Tahitian;
ug Uyghur, Uighur; uk Ukrainian; ur Urdu; uz Uzbek; ve Venda; vi Vietnamese; vo Volapük; wa Walloon;
wo Wolof; xh Xhosa; yi Yiddish; yo Yoruba; za Zhuang; zh Chinese, Mandarin; zu Zulu
"""
# What speakers call some of them.
OWN_NAMES = """
af Afrikaans; am አማርኛ; ar العربية, عربي; az azərbaycanca; be беларуская;
bg български; bn বাংলা; bo བོད་ཡིག; br brezhoneg; bs bosanski; ca català;
cs čeština; cy Cymraeg; da dansk; de Deutsch; el ελληνικά; eo Esperanto;
es español, castellano; et eesti; eu euskara; fa فارسی; fi suomi; fo føroyskt;
fr français; fy Frysk; ga Gaeilge; gd Gàidhlig; gl galego; gu ગુજરાતી;
ha Hausa; he עברית; hi हिन्दी, हिंदी; hr hrvatski; hu magyar; hy հայերեն;
id bahasa Indonesia; is íslenska; it italiano; ja 日本語; jv basa Jawa;
ka ქართული; kk қазақша; kl kalaallisut; km ខ្មែរ; kn ಕನ್ನಡ; ko 한국어; ku kurdî;
ky кыргызча; la Latina; lb Lëtzebuergesch; lo ລາວ; lt lietuvių; lv latviešu;
mg Malagasy; mk македонски; ml മലയാളം; mn монгол; mr मराठी; ms bahasa Melayu;
mt Malti; my မြန်မာ; nb bokmål, norsk bokmål; ne नेपाली; nl Nederlands;
nn nynorsk, norsk nynorsk; no norsk; oc occitan; pa ਪੰਜਾਬੀ; pl polski;
ps پښتو; pt português; qu Runa Simi; rm rumantsch; ro română; ru русский;
sa संस्कृतम्; se davvisámegiella; si සිංහල; sk slovenčina; sl slovenščina;
so Soomaali; sq shqip; sr српски, srpski; sv svenska; sw Kiswahili; ta தமிழ்;
te తెలుగు; tg тоҷикӣ; th ไทย, ภาษาไทย; tk türkmençe; tl Filipino; tr Türkçe;
tt татарча; uk українська; ur اردو; uz oʻzbekcha; vi tiếng Việt; wo Wolof;
xh isiXhosa; yi ייִדיש; yo Yorùbá; zh 中文, 汉语, 漢語, 普通话; zu isiZulu
"""
COUNTRY_TABLE = """
AD Andorra; AE United Arab Emirates, UAE; AF Afghanistan; AG Antigua and Barbuda; AI Anguilla;
AL Albania; AM Armenia; AO Angola; AQ Antarctica; AR Argentina; AS American Samoa; AT Austria;
AU Australia; AW Aruba; AX Åland Islands; AZ Azerbaijan; BA Bosnia and Herzegovina; BB Barbados;
BD Bangladesh; BE Belgium; BF Burkina Faso; BG Bulgaria; BH Bahrain; BI Burundi; BJ Benin;
BL Saint Barthélemy; BM Bermuda; BN Brunei Darussalam, Brunei; BO Bolivia; BR Brazil; BS Bahamas;
BT Bhutan; BW Botswana; BY Belarus; BZ Belize; CA Canada; CC Cocos Islands;
CD Democratic Republic of the Congo; CF Central African Republic; CG Congo; CH Switzerland;
CI Côte d'Ivoire, Ivory Coast; CK Cook Islands; CL Chile; CM Cameroon; CN China, P.R. China;
CO Colombia; CR Costa Rica; CU Cuba; CV Cabo Verde, Cape Verde; CW Curaçao; CX Christmas Island;
CY Cyprus; CZ Czechia, Czech Republic; DE Germany; DJ Djibouti; DK Denmark; DM Dominica;
DO Dominican Republic; DZ Algeria; EC Ecuador; EE Estonia; EG Egypt; EH Western Sahara; ER Eritrea;
ES Spain; ET Ethiopia; FI Finland; FJ Fiji; FK Falkland Islands; FM Micronesia; FO Faroe Islands;
FR France; GA Gabon; GB United Kingdom, UK, Great Britain, England, Scotland, Wales; GD Grenada;
GF French Guiana; GG Guernsey; GH Ghana; GI Gibraltar; GL Greenland; GM Gambia; GN Guinea;
GP Guadeloupe; GQ Equatorial Guinea; GR Greece; GT Guatemala; GU Guam; GW Guinea-Bissau; GY Guyana;
HK Hong Kong; HN Honduras; HR Croatia; HT Haiti; HU Hungary; ID Indonesia; IE Ireland; IL Israel;
IM Isle of Man; IN India; IQ Iraq; IR Iran; IS Iceland; IT Italy; JE Jersey; JM Jamaica; JO Jordan;
JP Japan; KE Kenya; KG Kyrgyzstan; KH Cambodia; KI Kiribati; KM Comoros; KN Saint Kitts and Nevis;
KP North Korea; KR South Korea, Republic of Korea, Korea; KW Kuwait; KY Cayman Islands;
KZ Kazakhstan; LA Laos; LB Lebanon; LC Saint Lucia; LI Liechtenstein; LK Sri Lanka; LR Liberia;
LS Lesotho; LT Lithuania; LU Luxembourg; LV Latvia; LY Libya; MA Morocco; MC Monaco; MD Moldova;
ME Montenegro; MF Saint Martin; MG Madagascar; MH Marshall Islands; MK North Macedonia; ML Mali;
MM Myanmar; MN Mongolia; MO Macao, Macau; MP Northern Mariana Islands; MQ Martinique;
MR Mauritania; MS Montserrat; MT Malta; MU Mauritius; MV Maldives; MW Malawi; MX Mexico;
MY Malaysia; MZ Mozambique; NA Namibia; NC New Caledonia; NE Niger; NF Norfolk Island; NG Nigeria;
NI Nicaragua; NL Netherlands, The Netherlands; NO Norway; NP Nepal; NR Nauru; NU Niue;
NZ New Zealand; OM Oman; PA Panama; PE Peru; PF French Polynesia; PG Papua New Guinea;
PH Philippines; PK Pakistan; PL Poland; PM Saint Pierre and Miquelon; PN Pitcairn; PR Puerto Rico;
PS Palestine; PT Portugal; PW Palau; PY Paraguay; QA Qatar; RE Réunion; RO Romania; RS Serbia;
RU Russia, Russian Federation; RW Rwanda; SA Saudi Arabia; SB Solomon Islands; SC Seychelles;
SD Sudan; SE Sweden; SG Singapore; SH Saint Helena; SI Slovenia; SJ Svalbard and Jan Mayen;
SK Slovakia; SL Sierra Leone; SM San Marino; SN Senegal; SO Somalia; SR Suriname; SS South Sudan;
ST Sao Tome and Principe; SV El Salvador; SX Sint Maarten; SY Syria; SZ Eswatini;
TC Turks and Caicos Islands; TD Chad; TG Togo; TH Thailand; TJ Tajikistan; TK Tokelau;
TL Timor-Leste; TM Turkmenistan; TN Tunisia; TO Tonga; TR Türkiye, Turkey; TT Trinidad and Tobago;
TV Tuvalu; TW Taiwan; TZ Tanzania; UA Ukraine; UG Uganda;
US United States of America, United States, USA, U.S.A.; UY Uruguay; UZ Uzbekistan;
VA Vatican City, Holy See; VC Saint Vincent and the Grenadines; VE Venezuela;
VG British Virgin Islands; VI U.S. Virgin Islands; VN Vietnam, Viet Nam; VU Vanuatu;
WF Wallis and Futuna; WS Samoa; YE Yemen; YT Mayotte; ZA South Africa; ZM Zambia; ZW Zimbabwe
"""


def names_by_code(table: str) -> dict[str, list[str]]:
    pairs = (line.strip().partition(" ") for line in " ".join(table.split()).split(";"))
    return {code: names.split(", ") for code, _, names in pairs}


LANGUAGES = {tag: names[0] for tag, names in names_by_code(LANGUAGE_TABLE).items()}
TAGS = {
    name.casefold(): tag
    for table in (OWN_NAMES, LANGUAGE_TABLE)
    for tag, names in names_by_code(table).items()
    for name in names
}
COUNTRIES = {
    name.casefold(): code for code, names in names_by_code(COUNTRY_TABLE).items() for name in names
}
