import { createRoutes } from 'sitewright/localized-pages'

// The content system: the slugs of a post in each language that has it.
export const posts = [{ en: 'house-cat', de: 'hauskatze' }, { en: 'boats' }]

export const origin = 'https://www.example.com'
export const routes = createRoutes({
  languages: ['en', 'de'],
  default: 'en',
  prefix: 'except-default', // as in the addresses of i18n
  paths: { '/about': { de: '/ueber-uns' }, '/posts/[slug]': {} },
  translationsOf: ({ slug, language }) => posts.find((post) => post[language] === slug),
})

/** Props of a page: the links of its head, and of its language switch. */
export async function localizedProps(locale, path) {
  const page = await routes.findBySlug(locale, path.split('/').slice(1))
  return { links: routes.links(page, origin), languageLinks: routes.languageLinks(page) }
}
