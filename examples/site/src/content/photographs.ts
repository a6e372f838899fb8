import { join } from 'node:path'
import { createImages, type FocusPoint, type ImageDescription } from 'sitewright/image'
import { sharpService } from 'sitewright/sharp'
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
  /** Painted until the image has loaded. */
  placeholder: string | undefined
  /** The point that a crop keeps in view. */
  focus: FocusPoint
  /** The same photograph in more pixels, for large displays. */
  larger: ImageDescription | undefined
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

/** Reads the catalogue in each language, and the size and the placeholder of each photograph from its file. */
export async function loadPhotographs(folder: string): Promise<(language: Language) => Photographs> {
  const catalogue = readFields(file, parseYaml(file, await readText(folder, file)))
  const describeFile = createDescriber(folder)
  const entries = await Promise.all(
    catalogue.names().map(async (name) => {
      const fields = catalogue.group(name)
      const { src, width, height, placeholder } = await describeFile(name)
      const larger = fields.names().includes('larger') ? await describeFile(fields.text('larger')) : undefined
      return { fields, file: { src, width, height, placeholder, larger } }
    }),
  )
  return (language) =>
    new Map(entries.map(({ fields, file }) => [file.src, { ...file, ...readEntry(fields, language) }]))
}

function readEntry(fields: Fields, language: Language) {
  const localized = fields.group(language)
  const focus = fields.group('focus')
  return {
    focus: { x: focus.number('x'), y: focus.number('y') },
    year: fields.number('year'),
    photographer: fields.text('photographer'),
    credit: fields.text('credit'),
    title: localized.text('title'),
    date: localized.text('date'),
    process: localized.text('process'),
    alt: localized.text('alt'),
  }
}

/** Describes files of `media/` in this process, so that content needs no image service to be read. */
function createDescriber(folder: string): (name: string) => Promise<ImageDescription> {
  const service = sharpService({ isolation: 'none' })
  const { describe } = createImages({ sources: { '/media/': join(folder, 'media') }, service })
  return (name) =>
    describe(`/media/${name}`).catch(() => {
      throw new ContentError(file, name, `expected an image at media/${name} that can be read`)
    })
}

/** Returns the photograph that a page names, by its file in `media/`. */
export function pickPhotograph(photographs: Photographs, from: string, field: string, name: string): Photograph {
  const photograph = photographs.get(name.startsWith('/') ? name : `/media/${name}`)
  if (photograph) return photograph
  throw new ContentError(from, field, `expected a photograph of ${file}, got '${name}'`)
}
