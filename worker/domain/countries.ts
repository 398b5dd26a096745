// ISO 3166-1: two-letter codes with their three-letter codes.
const CODES =
  "ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW AXALA AZAZE BABIH BBBRB BDBGD BEBEL BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES BRBRA BSBHS BTBTN BVBVT BWBWA BYBLR BZBLZ CACAN CCCCK CDCOD CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN COCOL CRCRI CUCUB CVCPV CWCUW CXCXR CYCYP CZCZE DEDEU DJDJI DKDNK DMDMA DODOM DZDZA ECECU EEEST EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK FMFSM FOFRO FRFRA GAGAB GBGBR GDGRD GEGEO GFGUF GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS GTGTM GUGUM GWGNB GYGUY HKHKG HMHMD HNHND HRHRV HTHTI HUHUN IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN ISISL ITITA JEJEY JMJAM JOJOR JPJPN KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO LBLBN LCLCA LILIE LKLKA LRLBR LSLSO LTLTU LULUX LVLVA LYLBY MAMAR MCMCO MDMDA MEMNE MFMAF MGMDG MHMHL MKMKD MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR MTMLT MUMUS MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM NCNCL NENER NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL OMOMN PAPAN PEPER PFPYF PGPNG PHPHL PKPAK PLPOL PMSPM PNPCN PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB RURUS RWRWA SASAU SBSLB SCSYC SDSDN SESWE SGSGP SHSHN SISVN SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD STSTP SVSLV SXSXM SYSYR SZSWZ TCTCA TDTCD TFATF TGTGO THTHA TJTJK TKTKL TLTLS TMTKM TNTUN TOTON TRTUR TTTTO TVTUV TWTWN TZTZA UAUKR UGUGA UMUMI USUSA UYURY UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR VNVNM VUVUT WFWLF WSWSM YEYEM YTMYT ZAZAF ZMZMB ZWZWE";

const BY_TWO = new Map(CODES.split(" ").map((both) => [both.slice(0, 2), both.slice(2)]));

/** Every country by its two-letter code. */
export const COUNTRY_CODES: readonly string[] = [...BY_TWO.keys()];

/** Returns the three-letter code of a two-letter code. Undefined if unknown. */
export function toThreeLetterCountryCode(country: string | undefined): string | undefined {
  return BY_TWO.get(parseCountryCode(country) ?? "");
}

/** Kosovo has no ISO code, but this one is in common use. */
const BY_CUSTOM = "XK";

// Common codes that differ from ISO.
const COUNTRY_ALIASES: Readonly<Record<string, string>> = { UK: "GB", EL: "GR" };

/** Returns the country meant by a non-ISO two-letter code. Undefined if unknown. */
export function resolveCountryAlias(code: string): string | undefined {
  return COUNTRY_ALIASES[code.trim().toUpperCase()];
}

/** Returns the ISO code of a country code in any case. Undefined for another text. */
export function parseCountryCode(text: string | undefined): string | undefined {
  const code = text?.trim().toUpperCase() ?? "";
  return resolveCountryAlias(code) ?? (isCountryCode(code) ? code : undefined);
}

/** Whether two uppercase letters are a country code. */
export function isCountryCode(code: string): boolean {
  return BY_TWO.has(code) || code === BY_CUSTOM;
}

/** Lists countries by two-letter code, named and sorted in a language. */
export function listCountryNames(language: string): readonly { readonly code: string; readonly name: string }[] {
  const names = new Intl.DisplayNames([language, "en"], { type: "region" });
  const sorted = new Intl.Collator(language);
  return COUNTRY_CODES.map((code) => ({ code, name: names.of(code) ?? code })).sort((a, b) =>
    sorted.compare(a.name, b.name),
  );
}
