import { defineConfig } from 'vitepress'
import { referenceSidebar } from '../reference-sidebar.js'
import { pictures } from './pictures.js'
import { repositoryLinks } from './repository-links.js'
import { snippets } from './snippets.js'
import { tables } from './tables.js'

const page = (text, link) => ({ text, link })

export default defineConfig({
  title: 'sitewright',
  description: 'A toolkit for content-driven websites: images, caching, revalidation, styleguide, spacing.',
  lang: 'en',
  srcExclude: ['snippets/**'],
  ignoreDeadLinks: [/^\/demo\//], // written by demo.js
  lastUpdated: false,
  metaChunk: true,
  head: [['link', { rel: 'icon', href: '/icon.svg', type: 'image/svg+xml' }]],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (markdown) => markdown.use(repositoryLinks).use(snippets).use(pictures).use(tables),
  },
  themeConfig: {
    logo: '/icon.svg',
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          searchOptions: {
            // A symptom is looked for more often than a type: its cure comes first.
            boostDocument: (id) => (/troubleshooting|symptoms/.test(id) ? 3 : id.includes('/reference/') ? 0.2 : 1),
          },
        },
      },
    },
    outline: { level: [2, 3] },
    docFooter: { prev: 'Previous', next: 'Next' },
    notFound: {
      title: 'Page not found',
      quote: 'This address has no page. It may have moved: the search and the menu list every page.',
      linkText: 'Back to the first page',
      linkLabel: 'Back to the first page',
    },
    nav: [
      { text: 'Why', link: '/why' },
      { text: 'Start', link: '/start/', activeMatch: '/start/' },
      { text: 'Guide', link: '/guide/images', activeMatch: '/(guide|migrate)/' },
      { text: 'Troubleshooting', link: '/troubleshooting' },
      { text: 'Reference', link: '/reference/', activeMatch: '/reference/' },
    ],
    sidebar: {
      '/reference/': [{ text: 'Reference', link: '/reference/', items: referenceSidebar() }],
      '/': [
        {
          text: 'Getting started',
          items: [
            page('Why sitewright', '/why'),
            page('Which server?', '/start/'),
            page('I want to …', '/start/tasks'),
            page('Next.js', '/start/next'),
            page('Hono', '/start/hono'),
            page('Express', '/start/express'),
            page('Node', '/start/node'),
            page('Other servers', '/start/others'),
            page('Into an existing site', '/start/existing'),
            page('Everything on one screen', '/start/whole'),
            page('While you develop', '/start/develop'),
            page('The example site', '/start/example'),
            page('Each part on its own', '/start/parts'),
            page('What it costs to run', '/start/cost'),
            page('Tested with', '/start/tested'),
          ],
        },
        {
          text: 'Guide',
          items: [
            page('Images', '/guide/images'),
            page('Image sources and caching', '/guide/image-caching'),
            page('Social cards', '/guide/social-card'),
            page('Response cache', '/guide/response-cache'),
            page('Content tags', '/guide/content-tags'),
            page('Content in the process', '/guide/content-in-process'),
            page('Directus', '/guide/cms-directus'),
            page('Strapi', '/guide/cms-strapi'),
            page('WordPress', '/guide/cms-wordpress'),
            page('Contentful, Sanity and others', '/guide/cms-others'),
            page('What is cached, and why not', '/guide/cache-status'),
            page('Revalidation and webhooks', '/guide/revalidation'),
            page('One machine, several, a CDN', '/guide/deployment'),
            page('Styleguide', '/guide/styleguide'),
            page('Localized pages', '/guide/localized-pages'),
            page('Markdown and feeds', '/guide/markdown'),
            page('Spacing', '/guide/spacing'),
            page('Signed-in visitors', '/guide/signed-in'),
            page('Preview', '/guide/preview'),
          ],
        },
        {
          text: 'Operation',
          items: [
            page('Troubleshooting', '/troubleshooting'),
            page('Metrics', '/guide/metrics'),
            page('imgproxy', '/guide/imgproxy'),
            page('Redis', '/guide/redis'),
            page('Limits of the image service', '/guide/image-service'),
          ],
        },
        {
          text: 'Coming from',
          items: [
            page('next/image', '/migrate/next-image'),
            page('IPX', '/migrate/ipx'),
            page('next-intl', '/migrate/next-intl'),
            page('Storybook', '/migrate/storybook'),
          ],
        },
      ],
    },
  },
})
