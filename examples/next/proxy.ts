import { routes } from '@sitewright/example-site/languages'
import { createLanguageProxy, createMarkdownProxy } from 'sitewright/next'

export const proxy = createMarkdownProxy(createLanguageProxy(routes))

// Pages and their Markdown only: no other files, no styleguide, and no endpoints.
export const config = { matcher: ['/((?!_|api/|styleguide|.*\\.).*)', '/(.*\\.md)'] }
