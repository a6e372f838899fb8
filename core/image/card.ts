import { cardSize } from '../crop.js'
import { optionError, truncate } from '../option-error.js'
import { checkKnownOptions, checkString, type OptionChecks, oneOf, required, unchecked } from '../options.js'
import { checkSecrets, type Secret } from '../secrets.js'
import { checkTagList, encodeTag, pathTag } from '../tags.js'
import { errors } from './errors.js'
import { checkSource, type ImageLoaderOptions } from './loader.js'
import { parametersOf } from './parameters.js'
import type { CardText } from './service.js'
import type { Focus } from './shape.js'
import { createTokens } from './sign.js'

const { width, height } = cardSize
const ratio = '40:21'
// More characters are never visible, and networks ignore addresses of more than some 2,000 characters.
const maxLength = 250

/** A social card: the picture that networks and messengers show for a link. */
export interface CardOptions extends Partial<CardText> {
  /** Path or URL of the photograph, as for the loader. */
  src: string
  title: string
  /** The part of the photograph that the crop keeps in view, as for the loader. */
  focus?: Focus | null | undefined
  /**
   * Tags that purge the card besides the photograph's own, such as the path of its page. Default: none.
   *
   * @example ['/articles/boats']
   */
  tags?: readonly string[] | undefined
}

/** The attributes of a `<meta>` element. */
export type CardMeta = { property: string; content: string }

/** The data of a card that its address contains. The style is not read, but changes the address. */
type SignedCard = { text: CardText; focus: string | undefined; tags: readonly string[]; style: string }

const checks: OptionChecks<CardOptions> = {
  src: required(checkSource),
  title: required(checkString),
  language: checkString,
  layout: oneOf('bottom', 'center', 'side'),
  focus: unchecked,
  tags: (option, tags) => checkTagList(tags, option),
}
const call = "images.card({ src: '/media/cat.jpg', title: 'A cat' })"

/**
 * Creates the functions that write and read the addresses of cards. An address contains all that the card shows, signed
 * together with the photograph, so that visitors cannot have a card drawn with a text of theirs.
 *
 * @param style Identifies how the service draws cards; `undefined` if it draws no cards.
 * @returns `undefined` without a secret.
 * @throws TypeError for a short secret, and if the service draws no cards.
 */
export function createCards(options: ImageLoaderOptions, secret: Secret, style: string | undefined) {
  const secrets = checkSecrets(secret, 32)
  if (secrets.length === 0) return undefined
  if (style === undefined) {
    throw optionError('service', 'one that draws cards, such as sharpService(), since there is a secret', 'another one')
  }
  const tokensOf = (source: string) => createTokens<SignedCard>(`card of ${source}`, secrets)
  return {
    /**
     * Returns the query of a card's address.
     *
     * @param name The canonical name of the photograph.
     */
    write(card: CardOptions, name: string): string {
      const { title, language, layout = 'bottom', tags = [] } = checkKnownOptions(card, checks, call)
      const { focus, v } = parametersOf({ ...card, width, ratio }, options, name, undefined)
      const line = title.replace(/[\p{Cc}\s]+/gu, ' ').trim()
      const text = { title: truncate(line, maxLength), language, layout }
      const encoded = tags.map((tag) => (tag.startsWith('/') ? pathTag(tag) : encodeTag(tag)))
      return formatCardQuery(tokensOf(name).create({ text, focus, tags: encoded, style }), v)
    },
    /** Reads a card's query. */
    read(search: string, given: URLSearchParams, source = '') {
      const signed = given.get('card') ?? ''
      const card = tokensOf(source).read(signed)
      const parameters = { width, ratio, focus: card?.focus, v: given.get('v') ?? undefined, card: signed }
      const reason = 'expected an address of images.card, signed with this secret'
      const error = card ? errors.unknownParameters : errors.cardNotSigned
      const invalid = card && search === formatCardQuery(signed, parameters.v) ? undefined : { error, reason }
      return { parameters, invalid, card }
    },
  }
}

/** Formats the query of a card's address: all but the version is in the signed text. */
export function formatCardQuery(card: string, v: string | undefined): string {
  return `?card=${card}${v === undefined ? '' : `&v=${v}`}`
}

export type Cards = NonNullable<ReturnType<typeof createCards>>

/**
 * Returns the `<meta>` elements of a card, for Open Graph (https://ogp.me) and X, which reads `property`, too: its
 * absolute URL, type, size and alternative text.
 *
 * @param card The address that `images.card` has returned.
 * @param origin Origin of the site, because networks ignore relative URLs.
 * @param alt Describes the photograph. It need not repeat the title, which networks show beside the card.
 * @example
 * cardMeta('/_image/…?card=…', { origin: 'https://www.example.com', alt: 'Boats at low tide' })
 * // [{ property: 'og:image', content: 'https://www.example.com/_image/…?card=…' }, …]
 */
export function cardMeta(card: string, { origin, alt }: { origin: string; alt: string }): CardMeta[] {
  const url = new URL(card, origin).href
  // A photograph under no prefix is its own card, of unknown size.
  const isDrawn = card.includes('?card=')
  const size = { 'og:image:type': 'image/jpeg', 'og:image:width': `${width}`, 'og:image:height': `${height}` }
  const graph = { 'og:image': url, ...(isDrawn && size), 'og:image:alt': alt }
  const x = { 'twitter:card': 'summary_large_image', 'twitter:image': url, 'twitter:image:alt': alt }
  return Object.entries({ ...graph, ...x }).map(([property, content]) => ({ property, content }))
}
