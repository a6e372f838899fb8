// RFC 9110, section 5.6.2.
const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const quoted = '"(?:[^"\\\\]|\\\\.)*"'
const parameter = new RegExp(`;[ \\t]*(${token})=(${token}|${quoted})`, 'g')

// Grammars of the fields that select representations: RFC 9110, sections 12.5.1 to 12.5.4.
const grammars: Readonly<Record<string, RegExp>> = {
  accept: memberOf(`${token}/${token}`),
  'accept-charset': memberOf(token),
  'accept-encoding': memberOf(token),
  'accept-language': memberOf('(?:[A-Za-z]{1,8}(?:-[0-9A-Za-z]{1,8})*|\\*)'),
}

/**
 * Normalizes a request field, so that values with the same meaning become equal (RFC 9111, section 4.1). In `Accept`,
 * `Accept-Charset`, `Accept-Encoding` and `Accept-Language` it removes differences that RFC 9110 calls meaningless:
 * optional white space, empty list members, the spelling of a weight, and the order of codings. Letter case is also
 * meaningless, but is kept, because handlers look for `de-DE` by name. Any other field, and a malformed field, is
 * returned unchanged, because the handler may interpret it in any way.
 *
 * @param name In lower case.
 * @example normalizeField('accept-language', 'en , de;q=0.50,') // 'en,de;q=0.5'
 */
export function normalizeField(name: string, value: string): string {
  const grammar = Object.hasOwn(grammars, name) ? grammars[name] : undefined
  if (!grammar || value.length > 1000) return value // real fields are shorter
  const members: Member[] = []
  for (let at = 0; at < value.length; at = grammar.lastIndex) {
    grammar.lastIndex = at
    const [match, type = '', parameters = ''] = grammar.exec(value) ?? []
    if (match === undefined) return value
    if (!type) continue // an empty member, which is ignored (RFC 9110, section 5.6.1.2)
    const normalized = normalizeParameters(parameters)
    if (normalized === undefined) return value
    members.push({ type, parameters: normalized })
  }
  return name === 'accept-encoding' ? formatCodings(members, value) : members.map(formatMember).join(',')
}

interface Member {
  type: string
  /** Each parameter as `;name=value`. */
  parameters: string
}

function memberOf(type: string): RegExp {
  const parameters = `(?:[ \\t]*;[ \\t]*${token}=(?:${token}|${quoted}))*`
  return new RegExp(`[ \\t]*(?:(${type})(${parameters})[ \\t]*)?(?:,|$)`, 'y')
}

function formatMember({ type, parameters }: Member): string {
  return type + parameters
}

/** Normalizes the spelling of the weight in parameters. Returns `undefined` if the weight is malformed. */
function normalizeParameters(parameters: string): string | undefined {
  const normalized: string[] = []
  let weights = 0
  for (const [, name = '', value = ''] of parameters.matchAll(parameter)) {
    const isWeight = name.toLowerCase() === 'q'
    // If there are two weights, some parsers use the first one, and others the last.
    if (isWeight && ++weights > 1) return undefined
    if (isWeight && !/^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(value)) return undefined
    normalized.push(isWeight ? `q=${Number(value)}` : `${name}=${value}`)
  }
  if (normalized.at(-1) === 'q=1') normalized.pop() // the default
  return normalized.map((text) => `;${text}`).join('')
}

/** Formats codings in sorted order, because their order has no meaning. */
function formatCodings(members: readonly Member[], value: string): string {
  const types = new Set(members.map(({ type }) => type.toLowerCase()))
  if (types.size < members.length) return value // a coding is named twice, perhaps with two weights
  return members.map(formatMember).sort().join(',')
}

/**
 * Returns the media types that an `Accept` header names with a weight above 0, in lower case (RFC 9110, sections 12.4.2
 * and 12.5.1). Wildcards are returned as they are; the caller decides whether they imply a type. If a type is named
 * twice, the highest weight counts.
 *
 * @example namedMediaTypes('image/avif,image/webp;q=0,*\/*') // Set { 'image/avif', '*\/*' }
 */
export function namedMediaTypes(accept: string | null): ReadonlySet<string> {
  return new Set(readWeights(accept?.toLowerCase() ?? null).map(({ name }) => name))
}

/**
 * Returns the members of a field with a weight above 0 (RFC 9110, section 12.4.2). An invalid weight counts as 1, like
 * a missing one.
 *
 * @param maxMembers Maximum number of members. The rest of a longer field is ignored.
 */
export function readWeights(field: string | null, maxMembers?: number): { name: string; weight: number }[] {
  const members = (field ?? '').split(',', maxMembers).map((member) => {
    const [name = ''] = member.split(';', 1)
    const [, weight = 1] = /;\s*q\s*=\s*(\d+(?:\.\d*)?)\s*(?:;|$)/i.exec(member) ?? []
    return { name: name.trim(), weight: Number(weight) }
  })
  return members.filter(({ name, weight }) => name && weight > 0)
}
