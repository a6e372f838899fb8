import { createLanguageProxy, createMarkdownProxy } from 'sitewright/next'
import { routes } from '../routes'

export const proxy = createMarkdownProxy(createLanguageProxy(routes))
export const config = {
  matcher: ['/((?!_|api/|styleguide|.*\\.).*)', '/(.*\\.md)'],
}
