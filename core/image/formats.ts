/** The properties of an image format. */
interface ImageFormat {
  readonly mediaType: string
  /** File name extensions. */
  readonly extensions: readonly string[]
  /** Whether images are encoded in this format. */
  readonly isOutput?: boolean
  /** Whether only clients that name the format in `Accept` get it, as with imgproxy. */
  readonly isNegotiated?: boolean
}

/** The image formats. Among the formats that a client names, the first in this order is the best. */
export const imageFormats = {
  avif: { mediaType: 'image/avif', extensions: ['avif'], isOutput: true, isNegotiated: true },
  jxl: { mediaType: 'image/jxl', extensions: ['jxl'], isNegotiated: true },
  webp: { mediaType: 'image/webp', extensions: ['webp'], isOutput: true, isNegotiated: true },
  jpeg: { mediaType: 'image/jpeg', extensions: ['jpg', 'jpeg', 'jfif'], isOutput: true },
  png: { mediaType: 'image/png', extensions: ['png'], isOutput: true },
  gif: { mediaType: 'image/gif', extensions: ['gif'], isOutput: true },
  heic: { mediaType: 'image/heic', extensions: ['heic', 'heif'] },
  tiff: { mediaType: 'image/tiff', extensions: ['tif', 'tiff'] },
  bmp: { mediaType: 'image/bmp', extensions: ['bmp'] },
  ico: { mediaType: 'image/x-icon', extensions: ['ico'] },
  svg: { mediaType: 'image/svg+xml', extensions: ['svg'] },
} as const satisfies Readonly<Record<string, ImageFormat>>

type Formats = typeof imageFormats
type FormatWith<Property> = {
  [Name in keyof Formats]: Formats[Name] extends Property ? Name : never
}[keyof Formats]

/** A format that images are encoded in. */
export type OutputFormat = FormatWith<{ isOutput: true }>

/** A format that is sent only to clients that name it in `Accept`. */
export type NegotiatedFormat = FormatWith<{ isNegotiated: true }>

const entries = Object.entries(imageFormats) as [keyof Formats, ImageFormat][]

/** The formats that are sent only to clients that name them, best first. */
export const negotiatedFormats = entries.flatMap(([name, { isNegotiated }]) =>
  isNegotiated ? (name as NegotiatedFormat) : [],
)

/** Whether a path or URL has an image file extension. */
export function hasImageExtension(path: string): boolean {
  const [, extension = ''] = /\.([a-z]+)(?:[?#]|$)/i.exec(path) ?? []
  return entries.some(([, { extensions }]) => extensions.includes(extension.toLowerCase()))
}
