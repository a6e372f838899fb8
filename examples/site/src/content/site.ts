import { type Article, loadArticles, readTextPage, type Text } from './articles.ts'
import { ContentError } from './content-error.ts'
import { readFields } from './fields.ts'
import { type Labels, readLabels } from './labels.ts'
import { type Language, languages } from './languages.ts'
import { type Prose, parseMarkdown } from './markdown.ts'
import { loadPhotographs, type Photographs } from './photographs.ts'
import { parseYaml, readText } from './source.ts'

export { type Language, languages }

export interface Home {
  title: string
  summary: string
  cover: Article
  /** The articles that the front page shows under its cover. */
  selection: readonly Article[]
  prose: Prose
}

/** All that a language of the site has to say. */
export interface Site {
  language: Language
  name: string
  tagline: string
  /** The language's own name for itself. */
  nativeName: string
  labels: Labels
  home: Home
  about: Text
  /** In the order of their photographs. */
  articles: readonly Article[]
  articlesBySlug: ReadonlyMap<string, Article>
  photographs: Photographs
}

export type Sites = Readonly<Record<Language, Site>>

/**
 * Reads the whole content once: `content/` and `media/` under the folder of this package.
 *
 * @throws ContentError that names the file and the field when something in it is wrong.
 * @example const sites = await loadSites(fileURLToPath(new URL('../site/', import.meta.url)))
 */
export async function loadSites(folder: string): Promise<Sites> {
  const photographsIn = await loadPhotographs(folder)
  const sites = await Promise.all(languages.map((language) => loadSite(folder, language, photographsIn(language))))
  return Object.fromEntries(sites.map((site) => [site.language, site])) as unknown as Sites
}

async function loadSite(folder: string, language: Language, photographs: Photographs): Promise<Site> {
  const path = `content/${language}`
  const words = readFields(
    `${path}/site.yaml`,
    parseYaml(`${path}/site.yaml`, await readText(folder, `${path}/site.yaml`)),
  )
  const articles = await loadArticles(folder, `${path}/articles`, photographs)
  const articlesBySlug = new Map(articles.map((article) => [article.slug, article]))
  const about = `${path}/about.md`
  return {
    language,
    name: words.text('name'),
    tagline: words.text('tagline'),
    nativeName: words.text('nativeName'),
    labels: readLabels(words.group('labels')),
    home: await loadHome(folder, `${path}/home.md`, articlesBySlug),
    about: readTextPage(about, parseMarkdown(about, await readText(folder, about)), photographs),
    articles,
    articlesBySlug,
    photographs,
  }
}

async function loadHome(folder: string, file: string, articles: ReadonlyMap<string, Article>): Promise<Home> {
  const { frontMatter, prose } = parseMarkdown(file, await readText(folder, file))
  const fields = readFields(file, frontMatter)
  const pick = (field: string, slug: string) => {
    const article = articles.get(slug)
    if (!article) throw new ContentError(file, field, `there is no article '${slug}'`)
    return article
  }
  return {
    title: fields.text('title'),
    summary: fields.text('summary'),
    cover: pick('cover', fields.text('cover')),
    selection: fields.texts('selection').map((slug) => pick('selection', slug)),
    prose,
  }
}
