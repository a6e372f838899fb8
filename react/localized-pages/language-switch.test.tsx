import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { createRoutes } from '../../core/localized-pages/index.js'
import { LanguageSwitch } from './index.js'

const routes = createRoutes({
  languages: ['en', 'de', 'pt-BR', 'ar', 'zh-Hant'],
  default: 'en',
  prefix: 'except-default',
  paths: { '/articles': { de: '/beitraege' }, '/articles/[slug]': { de: '/beitraege/[slug]' } },
  translationsOf: () => ({ en: 'house-cat', de: 'hauskatze' }),
})

it('the switch links to the page in each language by the language’s native name, and marks the current language', async () => {
  const links = routes.languageLinks(await routes.find('/de/beitraege/hauskatze'))
  const html = renderToStaticMarkup(<LanguageSwitch links={links} aria-label="Sprache" className="switch" />)
  expect(html.split(/(?=<li>)/)).toEqual([
    '<nav aria-label="Sprache" class="switch"><ul>',
    '<li><a href="/articles/house-cat" lang="en" hrefLang="en">English</a></li>',
    '<li><a href="/de/beitraege/hauskatze" lang="de" hrefLang="de" aria-current="true">Deutsch</a></li>',
    '<li><a href="/pt-BR/articles" lang="pt-BR" hrefLang="pt-BR" data-untranslated="">Português (Brasil)</a></li>',
    '<li><a href="/ar/articles" lang="ar" hrefLang="ar" data-untranslated="">العربية</a></li>',
    '<li><a href="/zh-Hant/articles" lang="zh-Hant" hrefLang="zh-Hant" data-untranslated="">繁體中文</a></li></ul></nav>',
  ])
})

it('with remember, each link stores the choice', async () => {
  const links = routes.languageLinks(await routes.find('/'))
  const html = renderToStaticMarkup(<LanguageSwitch links={links} aria-label="Language" remember />)
  expect(html.match(/href="[^"]*"/g)).toEqual(
    [
      '/?set-language=en',
      '/de?set-language=de',
      '/pt-BR?set-language=pt-BR',
      '/ar?set-language=ar',
      '/zh-Hant?set-language=zh-Hant',
    ].map((href) => `href="${href}"`),
  )
})
