// The languages that readers of another language understand, by CLDR's distance: `'no nb'` says that Norwegian (`no`)
// is offered to readers of Bokmål (`nb`). Source: CLDR 48, `supplemental/languageMatching.json` of the npm package
// cldr-core, in canonical tags. Pairs whose usual scripts are too far apart are left out. CLDR has a new version twice a
// year; these pairs seldom change.
const relatedLanguages: Readonly<Record<number, string>> = {
  1: 'no nb, nb no',
  4: 'bs hr sr, hr bs sr, sr bs hr, aa ssy, ssy aa, de gsw lb',
  8: 'no da, da no nb, nb da',
  10: `ar aao abh abv acm acq acw acx adf aeb aec afb apc apd arq ars ary arz auz avl ayh ayl ayn ayp shu ssh, et vro,
ff ffm fue fuf fuh fui fuq fuv, gn gnw gui gun nhd, kln enb eyo niq oki pko sgc tec tuy, kok knn, kpe gkp, luy ida lkb
lko lks lri lrm lsm lto lts lwg nle nyd rag, lv ltg, mg bhr bzc bmm msh skg tdx tkg txy xmv xmw, ms bjn btj bve bvu coa
dup hji id jak jax kvb kvr kxd lce lcf liw max meo mfb min mqg msi mui orn ors pel pse tmw vkk vkt xmm zlm zmi, ne dty,
om gax hae orc, or spv, ps pbt pst, qu qub qud quf qug quk qul qup qur qus quw qux quy qva qvc qve qvh qvi qvj qvl qvm
qvn qvo qvp qvs qvw qvz qwa qwc qwh qws qxa qxc qxh qxl qxn qxo qxp qxr qxt qxu qxw, sc sdc sdn sro, sq aae aln, syr
aii, yi yih, zh cdo cjy cnp csp czh gan hak hnm hsn luh nan sjc wuu yue`,
  20: `en af cy ga gd haw is mi pcm, es ay ca eu gl gn, ur bal, ru be, zh bo za, fr br co crs ht oc, sk cs, cs sk, da fo,
nl fy, id jv su, it la scn, hi mai, nb nn, nn nb no, no nn, de rm`,
  30: `ru ab az hy kk ky mn tg tk tt uz, en ach ak am bem bn ee eo gaa ha ia ig ka km kn kri lg lo loz mfe ml mt my ne nso
ny nyn om or pa ps rn sd si sn so sq st sw ta te ti tn to tum ur xh yi yo zu, hi bho mr sa, fil ceb, ar ckb, fr kg ln lua mg
rw wo, tr ku, id ms, es qu`,
}

const americas = `419 AG AI AR AW BB BL BM BO BQ BR BS BV BZ CA CL CO CR CU CW DM DO EC FK GD GF GL GP GS GT GY HN HT JM KN KY LC
MF MQ MS MX NI PA PE PM PR PY SR SV SX TC TT US UY VC VE VG VI`
// Regions whose variants of a language are nearer to each other than to those of the other regions.
const regionClusters: Readonly<Record<string, string>> = {
  ar: 'DZ EH LY MA MR TN',
  en: 'AS CA GU MH MP PH PR UM US VI',
  es: americas,
  pt: americas,
  zh: 'HK MO',
}
// Languages whose readers also read them in Latin letters.
const transliterated = /^(?:ar|bn|gu|hi|kn|ml|mr|ta|te|zh)$/

const distances = new Map<string, number>()
for (const [distance, lists] of Object.entries(relatedLanguages)) {
  for (const list of lists.split(',')) {
    const [language = '', ...readers] = list.trim().split(/\s/)
    for (const reader of readers) distances.set(`${reader} ${language}`, Number(distance))
  }
}

/**
 * Returns the distance between a language that a visitor wants and a language of the site, both maximized, by CLDR
 * (https://www.unicode.org/reports/tr35/tr35.html#EnhancedLanguageMatching): 0 for the same one, 1 to 5 for another
 * region, and `Infinity` for a language that the visitor cannot be expected to read. Any script of the same language
 * is nearer than another language that is not related.
 *
 * @example languageDistance(new Intl.Locale('nb').maximize(), new Intl.Locale('no').maximize()) // 1
 */
export function languageDistance(wanted: Intl.Locale, offered: Intl.Locale): number {
  if (wanted.language === offered.language) return scriptDistance(wanted, offered) + regionDistance(wanted, offered)
  const distance = distances.get(`${wanted.language} ${offered.language}`) ?? Number.POSITIVE_INFINITY
  const isOtherScript = wanted.script !== offered.script
  // Readers of a distant language, such as Armenian for Russian, learned its script with it.
  if (isOtherScript && distance < 20) return Number.POSITIVE_INFINITY
  return distance + (isOtherScript ? 10 : 0) + (wanted.region === offered.region ? 0 : 4)
}

function scriptDistance(wanted: Intl.Locale, offered: Intl.Locale): number {
  if (wanted.script === offered.script) return 0
  if (wanted.language === 'sr') return 5
  return wanted.script === 'Latn' && transliterated.test(wanted.language) ? 20 : 50
}

function regionDistance({ language, region = '' }: Intl.Locale, offered: Intl.Locale): number {
  if (region === offered.region) return 0
  const cluster = regionClusters[language]
  if (!cluster) return 4
  const isInCluster = cluster.includes(region)
  if (language === 'en' && !isInCluster && offered.region === 'GB') return 3
  return isInCluster === cluster.includes(offered.region ?? '') ? 4 : 5
}
