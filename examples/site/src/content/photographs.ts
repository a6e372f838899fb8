import { join } from 'node:path'
import sharp from 'sharp'
import { ContentError } from './content-error.ts'
import { type Fields, readFields } from './fields.ts'
import type { Language } from './languages.ts'
import { parseYaml, readText } from './source.ts'

export interface Photograph {
  /** Path of the original on the site. */
  src: string
  /** Size of the original in pixels. */
  width: number
  height: number
  /** Earliest year of the print; the articles are in this order. */
  year: number
  photographer: string
  title: string
  date: string
  process: string
  alt: string
  /** Page of the museum. */
  credit: string
}

/** Photographs by their `src`. */
export type Photographs = ReadonlyMap<string, Photograph>

const file = 'content/photographs.yaml'

/** Reads the catalogue in each language, and the size of each picture out of the picture itself. */
export async function loadPhotographs(folder: string): Promise<(language: Language) => Photographs> {
  const catalogue = readFields(file, parseYaml(file, await readText(folder, file)))
  const entries = await Promise.all(
    catalogue.names().map(async (name) => {
      const fields = catalogue.group(name)
      return { src: `/media/${name}`, fields, size: await measure(folder, name) }
    }),
  )
  return (language) =>
    new Map(entries.map(({ src, fields, size }) => [src, { src, ...size, ...describe(fields, language) }]))
}

function describe(fields: Fields, language: Language) {
  const localized = fields.group(language)
  return {
    year: fields.number('year'),
    photographer: fields.text('photographer'),
    credit: fields.text('credit'),
    title: localized.text('title'),
    date: localized.text('date'),
    process: localized.text('process'),
    alt: localized.text('alt'),
  }
}

async function measure(folder: string, name: string) {
  try {
    const { width, height } = await sharp(join(folder, 'media', name)).metadata()
    return { width, height }
  } catch {
    throw new ContentError(file, name, `media/${name} is no picture that can be read`)
  }
}

/** The photograph that a page names, by its file in `media/`. */
export function pickPhotograph(photographs: Photographs, from: string, field: string, name: string): Photograph {
  const photograph = photographs.get(name.startsWith('/') ? name : `/media/${name}`)
  if (photograph) return photograph
  throw new ContentError(from, field, `'${name}' is not listed in ${file}`)
}
