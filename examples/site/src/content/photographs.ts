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
  /** Earliest year of the print. Articles are sorted by it. */
  year: number
  photographer: string
  title: string
  date: string
  process: string
  alt: string
  /** URL of the museum's page. */
  credit: string
}

/** Photographs by their `src`. */
export type Photographs = ReadonlyMap<string, Photograph>

const file = 'content/photographs.yaml'

/** Reads the catalogue in each language, and the size of each photograph from its file. */
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
    throw new ContentError(file, name, `expected an image at media/${name} that can be read`)
  }
}

/** Returns the photograph that a page names, by its file in `media/`. */
export function pickPhotograph(photographs: Photographs, from: string, field: string, name: string): Photograph {
  const photograph = photographs.get(name.startsWith('/') ? name : `/media/${name}`)
  if (photograph) return photograph
  throw new ContentError(from, field, `expected a photograph of ${file}, got '${name}'`)
}
