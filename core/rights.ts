import { escapeXml } from './xml.js'

/** The maker of an image, and the terms of its use. */
export interface Rights {
  copyright?: string
  creator?: string
  credit?: string
}

/** The metadata of an image file. Exif may begin with `Exif` and two zero bytes, and IPTC with the header of Photoshop. */
export interface ImageMetadata {
  exif?: Uint8Array | undefined
  xmp?: Uint8Array | undefined
  iptc?: Uint8Array | undefined
}

// In characters. Longer texts are cut off, because every image in every width has them.
const maxText = 500
// In bytes. The XMP of an editor may have a history of megabytes, after the part that is read here.
const maxXmp = 100_000

/**
 * Reads the rights of an image from its XMP, Exif and IPTC, each field from the first of them that has it. Malformed
 * metadata has no rights.
 *
 * @returns `undefined` if no field has a text.
 * @example
 * const xmp = new TextEncoder().encode('<photoshop:Credit>Agency</photoshop:Credit>')
 * readRights({ xmp }) // { credit: 'Agency' }
 */
export function readRights({ exif, xmp, iptc }: ImageMetadata): Rights | undefined {
  const texts = [...(xmp ? readXmp(xmp) : []), ...(exif ? readExif(exif) : []), ...(iptc ? readIptc(iptc) : [])]
  const written = texts.filter(([, text]) => text !== '').reverse()
  return written.length > 0 ? Object.fromEntries(written) : undefined
}

type Field = [name: keyof Rights, text: string]

// Exif 2.32, section 4.6.4, and IPTC-IIM 4.2, record 2.
const exifTags: Readonly<Record<number, keyof Rights>> = { 33432: 'copyright', 315: 'creator' }
const iptcTags: Readonly<Record<number, keyof Rights>> = { 116: 'copyright', 80: 'creator', 110: 'credit' }

/** Reads the first directory of Exif, which is a TIFF (TIFF 6.0, section 2). */
function readExif(exif: Uint8Array): Field[] {
  const tiff = exif[0] === 0x45 ? exif.subarray(6) : exif
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength)
  try {
    const isLittle = view.getUint16(0) === 0x4949
    const directory = view.getUint32(4, isLittle)
    return Array.from({ length: view.getUint16(directory, isLittle) }, (_, index): Field[] => {
      const at = directory + 2 + 12 * index
      const name = exifTags[view.getUint16(at, isLittle)]
      const length = view.getUint32(at + 4, isLittle)
      const start = length > 4 ? view.getUint32(at + 8, isLittle) : at + 8
      return name ? [[name, decode(tiff.subarray(start, start + length))]] : []
    }).flat()
  } catch {
    return []
  }
}

/** Reads the elements of XMP (ISO 16684-1), of a list the first text for rights and all for creators. */
function readXmp(xmp: Uint8Array): Field[] {
  const text = new TextDecoder().decode(xmp.subarray(0, maxXmp))
  const between = (start: string, end: string) => text.split(start, 2)[1]?.split(end, 1)[0] ?? ''
  const items = (name: string) => {
    const [, ...parts] = between(`<${name}`, `</${name}>`).split('<rdf:li')
    return parts.map((part) => part.slice(part.indexOf('>') + 1).split('<', 1)[0] ?? '')
  }
  const credit = between('photoshop:Credit="', '"') || between('<photoshop:Credit>', '</photoshop:Credit>')
  const fields: Field[] = [
    ['copyright', items('dc:rights')[0] ?? ''],
    ['creator', items('dc:creator').join(', ')],
    ['credit', credit],
  ]
  return fields.map(([name, value]) => [name, clean(decodeXml(value))])
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const decodeXml = (text: string) =>
  text.replace(/&(?:#(x?)([\da-f]{1,5})|(\w{2,4}));/gi, (whole, isHex, digits, name) =>
    digits ? String.fromCodePoint(Number.parseInt(digits, isHex ? 16 : 10) || 0) : (entities[name] ?? whole),
  )

/** Reads the data sets of IPTC: 28, record, number and length. */
function readIptc(iptc: Uint8Array): Field[] {
  const fields: Field[] = []
  for (let at = 0; at + 5 <= iptc.length; at++) {
    const name = iptc[at] === 28 && iptc[at + 1] === 2 ? iptcTags[iptc[at + 2] ?? 0] : undefined
    const length = (iptc[at + 3] ?? 0) * 256 + (iptc[at + 4] ?? 0)
    if (name) fields.push([name, decode(iptc.subarray(at + 5, at + 5 + length))])
  }
  return fields
}

/** Decodes UTF-8, as most programs write, or else Latin-1. */
function decode(bytes: Uint8Array): string {
  try {
    return clean(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return clean(new TextDecoder('latin1').decode(bytes))
  }
}

/** Cuts a text off at a zero byte, and removes control characters. */
const clean = (text: string) =>
  (text.split('\0', 1)[0] ?? '')
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, maxText)

/**
 * Writes rights as XMP, if Exif cannot have them: it has no field for the credit, and only ASCII.
 *
 * @returns `undefined` if Exif can have them all.
 */
export function writeXmp({ copyright, creator, credit }: Rights): string | undefined {
  if (!credit && /^[ -~]*$/.test(`${copyright ?? ''}${creator ?? ''}`)) return undefined
  const listed = (name: string, list: string, text = '') =>
    text &&
    `<dc:${name}><rdf:${list}><rdf:li xml:lang="x-default">${escapeXml(text)}</rdf:li></rdf:${list}></dc:${name}>`
  const credited = credit
    ? ` xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" photoshop:Credit="${escapeXml(credit)}"`
    : ''
  const description = `<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"${credited}>`
  const lists = listed('rights', 'Alt', copyright) + listed('creator', 'Seq', creator)
  const rdf = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
  return `<x:xmpmeta xmlns:x="adobe:ns:meta/">${rdf}${description}${lists}</rdf:Description></rdf:RDF></x:xmpmeta>`
}
