import { type Article, loadArticles, readTextPage, type Text } from './articles.ts'
import { ContentError } from './content-error.ts'
import { readFields } from './fields.ts'
import { type Labels, readLabels } from './labels.ts'
import { type Language, languages } from './languages.ts'
import { type Prose, parseMarkdown } from './markdown.ts'
import { type NoteRead, noteReads } from './note-reads.ts'
import { loadPhotographs, type Photographs } from './photographs.ts'
import { parseYaml, readText } from './source.ts'

export interface Home {
  title: string
  summary: string
  cover: Article
  /** The articles that the front page shows under its cover. */
  selection: readonly Article[]
  prose: Prose
  /** The text as it is written. */
  source: string
}

/** The content of the site in one language. */
export interface Site {
  language: Language
  name: string
  tagline: string
  /** The language's own name for itself. */
  nativeName: string
  labels: Labels
  home: Home
  about: Text
  /** Sorted by the year of their photographs. */
  articles: readonly Article[]
  articlesBySlug: ReadonlyMap<string, Article>
  articlesByPhotograph: ReadonlyMap<string, Article>
  photographs: Photographs
}

export type Sites = Readonly<Record<Language, Site>>

/**
 * Reads the whole content once: `content/` and `media/` under the folder of this package.
 *
 * @param note Called with the file of a text whenever a field of the text is read.
 * @throws ContentError that names the file and the field of a mistake.
 * @example const sites = await loadSites(fileURLToPath(new URL('../site/', import.meta.url)))
 */
export async function loadSites(folder: string, note?: NoteRead): Promise<Sites> {
  const photographsOf = await loadPhotographs(folder)
  const sites = await Promise.all(
    languages.map((language) => loadSite(folder, language, photographsOf(language), note)),
  )
  return Object.fromEntries(sites.map((site) => [site.language, site])) as unknown as Sites
}

async function loadSite(folder: string, language: Language, photographs: Photographs, note?: NoteRead): Promise<Site> {
  const path = `content/${language}`
  const fields = readFields(
    `${path}/site.yaml`,
    parseYaml(`${path}/site.yaml`, await readText(folder, `${path}/site.yaml`)),
  )
  const loaded = await loadArticles(folder, `${path}/articles`, photographs)
  const noted = loaded.map((article) => {
    const { slug, photograph } = article // read unwrapped, because these reads are not a page's
    return { slug, photograph, article: noteReads(article, `${path}/articles/${slug}.md`, note) }
  })
  const articlesBySlug = new Map(noted.map(({ slug, article }) => [slug, article]))
  const [home, about] = [`${path}/home.md`, `${path}/about.md`]
  return {
    language,
    name: fields.text('name'),
    tagline: fields.text('tagline'),
    nativeName: fields.text('nativeName'),
    labels: readLabels(fields.group('labels')),
    home: noteReads(await loadHome(folder, home, articlesBySlug), home, note),
    about: noteReads(
      readTextPage(about, parseMarkdown(about, await readText(folder, about)), photographs),
      about,
      note,
    ),
    articles: noted.map(({ article }) => article),
    articlesBySlug,
    articlesByPhotograph: new Map(noted.map(({ photograph, article }) => [photograph.src, article])),
    photographs,
  }
}

async function loadHome(folder: string, file: string, articles: ReadonlyMap<string, Article>): Promise<Home> {
  const { frontMatter, prose, source } = parseMarkdown(file, await readText(folder, file))
  const fields = readFields(file, frontMatter)
  const pick = (field: string, slug: string) => {
    const article = articles.get(slug)
    if (!article) throw new ContentError(file, field, `expected the slug of an article, got '${slug}'`)
    return article
  }
  return {
    title: fields.text('title'),
    summary: fields.text('summary'),
    cover: pick('cover', fields.text('cover')),
    selection: fields.texts('selection').map((slug) => pick('selection', slug)),
    prose,
    source,
  }
}
