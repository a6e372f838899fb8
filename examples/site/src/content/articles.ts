import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readFields } from './fields.ts'
import { findImages, type MarkdownFile, type Prose, parseMarkdown } from './markdown.ts'
import { type Photograph, type Photographs, pickPhotograph } from './photographs.ts'
import { readText } from './source.ts'

/** A page of text with a photograph. */
export interface Text {
  title: string
  summary: string
  photograph: Photograph
  prose: Prose
  /** The text as it is written. */
  source: string
}

export interface Article extends Text {
  /** File name without extension, and last segment of the URL path. */
  slug: string
  /** One or two words over the title. */
  theme: string
  /** Reading time in minutes. */
  minutes: number
}

const wordsPerMinute = 220

/** Loads all articles of a folder, sorted by the year of their photographs. */
export async function loadArticles(folder: string, path: string, photographs: Photographs): Promise<Article[]> {
  const files = (await readdir(join(folder, path))).filter((name) => name.endsWith('.md')).sort()
  const articles = await Promise.all(files.map((name) => loadArticle(folder, `${path}/${name}`, photographs)))
  return articles.sort((a, b) => a.photograph.year - b.photograph.year)
}

async function loadArticle(folder: string, file: string, photographs: Photographs): Promise<Article> {
  const markdown = parseMarkdown(file, await readText(folder, file))
  return {
    ...readTextPage(file, markdown, photographs),
    slug: file.slice(file.lastIndexOf('/') + 1, -'.md'.length),
    theme: readFields(file, markdown.frontMatter).text('theme'),
    minutes: Math.max(1, Math.round(markdown.words / wordsPerMinute)),
  }
}

/** Reads the fields that every page of text has. */
export function readTextPage(
  file: string,
  { frontMatter, prose, source }: MarkdownFile,
  photographs: Photographs,
): Text {
  const fields = readFields(file, frontMatter)
  for (const src of findImages(prose)) pickPhotograph(photographs, file, 'image in the text', src)
  return {
    title: fields.text('title'),
    summary: fields.text('summary'),
    photograph: pickPhotograph(photographs, file, 'photograph', fields.text('photograph')),
    prose,
    source,
  }
}
