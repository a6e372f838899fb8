import { routes } from '@sitewright/example-site/languages'
import { createLanguageProxy } from 'sitewright/next'

export const proxy = createLanguageProxy(routes)

// Pages only: no files, no styleguide, and no endpoints.
export const config = { matcher: '/((?!_|api/|styleguide|.*\\.).*)' }
